"""A local Bot API that the real client library connects to, with people who use it and a page to be one of them."""

from adapters.telegram.simulator.simulator import TelegramSimulator

__all__ = ["TelegramSimulator"]
