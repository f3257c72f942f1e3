"""Nobody may speak to the bot unless somebody let them in."""

from __future__ import annotations

from bot import texts
from bot.events import Event, Kind
from bot.people import Person, Role, Standing
from bot.rules import REFUSED, Rules
from bot.step import Step
from bot.steps._addressed import addressed
from bot.work import Answer, Drop, Verdict


def judge(event: Event, standing: Standing, rules: Rules) -> Verdict | None:
    """Turn strangers away, once and in words where they spoke to us, and guests from all but `/help`."""
    person = standing.person
    if person is not None and (person.role >= Role.MEMBER or _for_guests(event, person, rules)):
        return None
    if event.author.is_bot or event.kind is Kind.WEBHOOK or not addressed(event, standing):
        return Drop(because=REFUSED)
    # While there is no administrator, whoever sets us up is told each time what to send.
    if rules.pace.refused_lately and standing.has_admin:
        return Drop(because=REFUSED)
    return Answer(parts=rules.say(_refusal(event, standing)), because=REFUSED)


def _for_guests(event: Event, person: Person, rules: Rules) -> bool:
    found = rules.find_command(event.text)
    return found is not None and rules.commands[found.name].role <= person.role


def _refusal(event: Event, standing: Standing) -> str:
    if standing.person is not None:
        return texts.GUESTS_ONLY_HELP
    if not standing.has_admin and event.direct:
        return texts.NO_ADMINISTRATOR
    return texts.REFUSED


STEP = Step(name="allowed", judge=judge, after=("connect_code",))
