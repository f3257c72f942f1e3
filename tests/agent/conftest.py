"""Fixtures for tests of whole runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.agent.kit import Kit, Voice

MakeKit = Callable[..., Kit]


@pytest.fixture
def kit(tmp_path: Path) -> MakeKit:
    """Make an agent around a model."""

    def make(model: Voice, **parts: Any) -> Kit:
        return Kit(home=tmp_path, model=model, **parts)

    return make
