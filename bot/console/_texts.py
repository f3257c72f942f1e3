"""What the command line says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.settings_reader import ENV_FILE, TOML_FILE

DESCRIPTION = "An AI teammate for the places where your team already talks."
EPILOG = f"{ENV_FILE} and {TOML_FILE} are read from the current folder; `deckhand COMMAND --help` says more."
FOLDER = f"the folder with {ENV_FILE} and {TOML_FILE}, the current one unless given"

RUN = "run the bot in the foreground until it is asked to stop"
SIM = "try the bot with simulated people and platforms, on this machine only"
INIT = f"write {ENV_FILE} and {TOML_FILE} by asking"
DOCTOR = "check settings, clock, database, model and platforms, and name the cure of what is wrong"
MIGRATE = "bring the database up to date"
SEATS_SUMMARY = "list every place where something is decided"
HOOKS = "list what lies around the model, from the outside in"
ADMIN = "give somebody a role, from the machine itself"

YES = "ask nothing: take the defaults, and replace nothing that is there"
JSON = "print JSON"
PLATFORMS_ONLY = "start only the simulated platforms, for a bot of your own to connect to"
FIRST_PORT = "the port of the first simulated platform, the following ones for the others; 0 takes free ones"
GRANT = "give an account a role"
PLATFORM = "the platform of the account"
ACCOUNT = "the account's id at the platform"
ROLE = "the role, admin unless given"
NAME = "how to call them, where they are new"


def failed(sentence: str) -> str:
    return f"deckhand: {sentence}"


def code(code: str) -> str:
    return f"\nNobody administers this bot yet. Whoever sends it this code first will:\n\n    {code}\n"


def at_page(url: str, code: str) -> str:
    return f"Or open the web chat with it:\n\n    {url}/?code={code}\n"


def page(url: str, code: str) -> str:
    return f"The web chat: {url}\nFor another browser, within ten minutes: {url}/?code={code}"


def simulated(platform: str, url: str, environment: Mapping[str, str]) -> str:
    keys = " ".join(f"{name}={value}" for name, value in environment.items())
    return f"A simulated {platform}: {url}\n    for another bot: {keys}"


WEAK_MODEL = (
    "The small embedded model answers: it shows that everything works, and is good for little else. "
    "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or DECKHAND_MODEL in .env for a real one."
)


UP_TO_DATE = "the database was up to date"
MIGRATED = "the database is up to date now"
LOST = "another worker may have taken over what was ours: stopped"


def granted(name: str, role: str) -> str:
    return f"{name} is {role} now"


# --- init -----------------------------------------------------------------------------------------------

INTRODUCTION = "Every question may be left empty; whatever you say here can be changed later."


def ask_key(name: str, sentence: str) -> str:
    return f"{sentence}\n{name}:"


def ask_replace(name: str) -> str:
    return f"{name} exists. Replace it? [y/N]"


ASK_OPEN = "May everybody who finds the bot talk to it? [y/N]"


def kept(name: str) -> str:
    return f"{name} was left as it is"


def wrote(name: str) -> str:
    return f"{name} written"


NEXT = "Next: `deckhand doctor`, then `deckhand run`."

# --- doctor ---------------------------------------------------------------------------------------------


def check(ok: bool, title: str, fix: str) -> str:
    return f"ok    {title}" if ok else f"FAIL  {title}\n      {fix}"


def findings(failed: int) -> str:
    if failed == 0:
        return "\neverything is well"
    return f"\n{failed} to mend"


SETTINGS = "the settings can be read"


def turned_on(names: Sequence[str]) -> str:
    return f"turned on: {', '.join(names) or 'nothing'}"


FIX_NO_ADAPTER = f"set a platform's token in {ENV_FILE}; the first key of each group in .env.example turns it on"
PRIVATE = f"{ENV_FILE} can be read by its owner only"
FIX_PRIVATE = f"run `chmod 600 {ENV_FILE}`: it holds secrets"
CLOCK = "the clock is plausible"


def fix_clock(now: str) -> str:
    return f"it says {now}: set the machine's clock, or let it follow a time server"


DATABASE = "the database answers"


def database(revision: str) -> str:
    return f"the database answers, at revision {revision}"


NO_DATABASE = "there is no database yet; the first `deckhand run` makes one"


def fix_database(reason: str) -> str:
    return f"{reason}; check DATABASE_URL, and that the server runs"


def old_database(stored: str, wanted: str) -> str:
    return f"the database is at revision {stored}, this program wants {wanted}"


FIX_OLD = "run `deckhand migrate`, or start the bot, which does the same"
FIX_NEW = "start the newer program that it was made by"


def model(name: str) -> str:
    return f"model {name} answers"


def model_set_up(name: str) -> str:
    return f"model {name} is set up"


def fix_model(reason: str) -> str:
    return f"{reason}; check its key and address, or choose another with DECKHAND_MODEL"


def platform(name: str) -> str:
    return f"{name} can be reached"
