"""The tree of errors. The class is the instruction to whoever catches it.

* DeckhandError
  * SettingsError            fix the configuration and start again
  * RegistrationError        fix the module that is named
  * StartError               the process cannot start; the sentence says what to do
  * Fenced                   somebody else owns this work now: stop, write nothing
  * NotAllowed               tell the person; nothing was done
  * StorageBusy              nothing was written; try again
  * DeliveryError
    * RateLimited            wait `retry_after` seconds, then send the same again
    * Unreachable            nothing was sent: send the same again later
    * Unknown                sent or not, nobody knows: reconcile before sending again
    * Refused                final for this content: send it plainer, then tell the room
      * Vanished             the message to fill is no more: post the part anew
      * Gone                 final for this room: nothing can be sent there any more
"""

from __future__ import annotations


class DeckhandError(Exception):
    """Anything that Deckhand itself has to say about a failure."""


class SettingsError(DeckhandError):
    """A setting is wrong; the sentence names the key and the cure."""


class RegistrationError(DeckhandError):
    """A module of a plural folder does not offer what its folder promises."""


class StartError(DeckhandError):
    """The process cannot start."""


class Fenced(DeckhandError):
    """The work was taken over by somebody else."""

    def __init__(self, what: str) -> None:
        self.what = what
        super().__init__(f"{what} belongs to another worker now")


class NotAllowed(DeckhandError):
    """The person may not do this."""


class StorageBusy(DeckhandError):
    """The database did not take the write in time; nothing was written."""


class DeliveryError(DeckhandError):
    """A platform did not take what we sent."""

    def __init__(self, platform: str, message: str) -> None:
        self.platform = platform
        super().__init__(f"{platform} {message}")


class RateLimited(DeliveryError):
    """The platform asks us to wait before sending again."""

    def __init__(self, platform: str, *, retry_after: float) -> None:
        self.retry_after = retry_after
        super().__init__(platform, f"asks us to wait {retry_after:g} s before the next call")


class Unreachable(DeliveryError):
    """The call never reached the platform, or the platform answered that it did nothing."""


class Unknown(DeliveryError):
    """The call may or may not have had its effect."""


class Refused(DeliveryError):
    """The platform will never take this content."""


class Vanished(Refused):
    """The message that should be edited does not exist any more."""


class Gone(Refused):
    """The room is closed to us: the bot was removed, blocked, or the chat is no more."""
