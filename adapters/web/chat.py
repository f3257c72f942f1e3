"""Chat: what a visitor looks at and says."""

from __future__ import annotations

from secrets import token_urlsafe

from aiohttp import web

from adapters.web import answers, facts, session, texts
from adapters.web.cards import Unfilled, label_of, says
from adapters.web.door import Visitor
from adapters.web.events import Events, seen
from adapters.web.listen import Listener
from adapters.web.pages import ChatPage, Pages
from adapters.web.ports import Files, Transcript
from adapters.web.receive import Malformed, pressed_body, read_draft, read_press, read_stop, said_body, title_of
from bot.clock import Clock
from bot.errors import NotAllowed
from bot.transcript import Conversation, History, StoredFile, Window, Writing


class Chat:
    """The conversations of whoever visits."""

    def __init__(
        self, *, transcript: Transcript, files: Files, listener: Listener, events: Events, pages: Pages, clock: Clock
    ) -> None:
        self._transcript = transcript
        self._files = files
        self._listener = listener
        self._events = events
        self._pages = pages
        self._clock = clock

    async def new(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Show a conversation that begins with the first message."""
        conversation = token_urlsafe(16)
        history = History(messages=(), change=0, more=False)
        return await self._page(visitor, conversation, texts.UNTITLED, history, is_new=True)

    async def show(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Show a conversation."""
        conversation = await self._own(request, visitor)
        history = await self._history(conversation.id, None)
        return await self._page(visitor, conversation.id, conversation.title, history, is_new=False)

    async def history(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Return the newest messages, or those before one."""
        conversation = await self._own(request, visitor)
        before = request.query.get("before", "")
        history = await self._history(conversation.id, int(before) if before.isdecimal() and len(before) < 18 else None)
        return answers.values(
            {"html": self._pages.messages(history.messages), "change": history.change, "more": history.more}
        )

    async def conversations(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Return the list of conversations."""
        found = await self._transcript.conversations(visitor.account)
        return answers.page(self._pages.conversations(found, request.query.get("current", "")))

    async def events(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Follow a conversation."""
        conversation = await self._own(request, visitor)
        return await self._events.stream(request, visitor, conversation.id)

    async def say(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Take a message."""
        conversation = _conversation(request)
        try:
            draft = read_draft(await request.read())
        except Malformed as error:
            return answers.refusal(str(error))
        files = [await self._own_file(file_id, visitor) for file_id in draft.files]
        body = said_body(visitor.name, draft.text, files)
        writing = self._writing(conversation, visitor, draft.key, body, files)
        return await self._say(writing)

    async def press(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Take the press of a button: it says the button's control word."""
        conversation = await self._own(request, visitor)
        try:
            press = read_press(await request.read())
            message = await self._transcript.message(conversation.id, press.message_id)
            card = {} if message is None or message.removed else message.body.get("card", {})
            if press.action >= len(card.get("actions", ())):
                return answers.refusal(texts.NO_SUCH_BUTTON, status=404)
            word = says(card, press.action, press.values)
        except (Malformed, Unfilled) as error:
            return answers.refusal(str(error))
        label = label_of(card, press.action, press.values)
        body = pressed_body(visitor.name, label=label, says=word, form=card["actions"][press.action]["takes_fields"])
        return await self._say(self._writing(conversation.id, visitor, press.key, body))

    async def stop(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Ask to stop the answer that grows."""
        conversation = await self._own(request, visitor)
        try:
            key = read_stop(await request.read())
        except Malformed as error:
            return answers.refusal(str(error))
        body = pressed_body(visitor.name, label=texts.STOP, says=facts.STOP_WORD, form=False)
        return await self._say(self._writing(conversation.id, visitor, key, body))

    def _writing(
        self,
        conversation: str,
        visitor: Visitor,
        key: str,
        body: dict[str, object],
        files: list[StoredFile] | None = None,
    ) -> Writing:
        files = files or []
        return Writing(
            conversation=conversation,
            account=visitor.account,
            # The prefix keeps a browser's keys apart from those of our own messages.
            key=f"browser:{key}",
            body=body,
            now=self._clock.now(),
            title=title_of(str(body.get("text", "")), files),
            files=tuple(file.id for file in files),
        )

    async def _say(self, writing: Writing) -> web.StreamResponse:
        try:
            message = await self._listener.say(writing)
        except NotAllowed:
            raise web.HTTPNotFound(text=texts.NOT_YOURS) from None
        return answers.values(seen(self._pages, message))

    async def _history(self, conversation: str, before: int | None) -> History:
        return await self._transcript.history(
            Window(conversation=conversation, limit=facts.HISTORY_MESSAGES, before=before)
        )

    async def _page(
        self, visitor: Visitor, conversation: str, title: str, history: History, *, is_new: bool
    ) -> web.StreamResponse:
        return answers.page(
            self._pages.chat(
                ChatPage(
                    csrf=session.csrf_of(visitor.token),
                    name=visitor.name,
                    conversation=conversation,
                    title=title,
                    history=history,
                    conversations=await self._transcript.conversations(visitor.account),
                    is_new=is_new,
                )
            )
        )

    async def _own(self, request: web.Request, visitor: Visitor) -> Conversation:
        """Return the conversation that the address names, if it is the visitor's."""
        found = await self._transcript.conversation(_conversation(request))
        if found is None or found.account != visitor.account:
            raise web.HTTPNotFound(text=texts.NOT_YOURS)
        return found

    async def _own_file(self, file_id: str, visitor: Visitor) -> StoredFile:
        file = await self._files.file(file_id)
        if file is None or file.account != visitor.account:
            raise web.HTTPNotFound(text=texts.NO_SUCH_FILE)
        return file


def _conversation(request: web.Request) -> str:
    conversation = request.match_info["conversation"]
    if not facts.CONVERSATION_ID.fullmatch(conversation):
        raise web.HTTPNotFound(text=texts.NOT_YOURS)
    return conversation
