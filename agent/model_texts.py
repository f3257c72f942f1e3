"""What people read when a model does not answer."""

from __future__ import annotations

QUOTA = (
    "I could not answer: the account of the model “{model}” has no credit or quota left. "
    "An administrator has to look at it."
)
AUTH = (
    "I could not answer: the provider of the model “{model}” does not accept our key, or does not allow us this model. "
    "An administrator has to look at it."
)
BURST = "I could not answer: the model “{model}” is asked too often at the moment. Please try again in a minute."
UNAVAILABLE = "I could not answer: the model “{model}” is not available at the moment. Please try again in a minute."
EMPTY = (
    "I have no answer: the model “{model}” sent an empty one, twice. Please ask again, or choose another with `/model`."
)
WAIT = "I could not answer: the provider of the model “{model}” asks us to wait {minutes}. Please try again after that."
PAUSED = (
    "I could not answer: the model “{model}” failed several times in a row and is left alone for a minute. "
    "Please try again then."
)
TOO_LONG = (
    "I could not answer: this conversation has become too long for the model “{model}”. `/new` starts a fresh one."
)
REFUSED = (
    "I could not answer: the provider of the model “{model}” refused the request. "
    "An administrator finds the reason in the log."
)

UNKNOWN_MODEL = "There is no model called “{name}”. `/models` lists the ones there are."
EMBEDDED_NOTICE = (
    "This is the small embedded model. It runs on this machine without a key, and it is weak: it makes things up and "
    "uses no tools. Set a key (see `.env.example`) for a real model."
)


def minutes(seconds: float) -> str:
    """Return a wait in whole minutes, rounded up."""
    count = max(1, -int(-seconds // 60))
    return "a minute" if count == 1 else f"{count} minutes"
