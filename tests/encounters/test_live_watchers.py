"""How news reaches one watcher, and many, whatever their connections do."""

import asyncio
from typing import Any

from encounters.live.figures import Figures
from encounters.live.frames import GONE, HEARTBEAT, Event, Message, body
from encounters.live.rooms import BATCH, Room, Watcher
from tests.encounters.streaming import PATIENCE


def test_a_heartbeat_never_takes_the_place_of_a_board() -> None:
    async def take() -> list[Message]:
        sent: list[Message] = []
        full = asyncio.Event()

        async def send(message: Message) -> None:
            await full.wait()  # as when a phone does not read
            sent.append(message)

        watcher = Watcher(send, Figures())
        for event in (bran := Event.of("board", "Bran", 1)), (lia := Event.of("board", "Lia", 2)):
            watcher.offer(event)
        watcher.beat(HEARTBEAT)
        full.set()
        while len(sent) < 2:
            await asyncio.sleep(0)
        assert sent == [bran.messages[0], lia.messages[0]]
        return sent

    assert asyncio.run(asyncio.wait_for(take(), PATIENCE))


def test_a_phone_that_dawdles_still_gets_the_last_word_and_the_end() -> None:
    async def leave() -> None:
        sent: list[Message] = []
        full = asyncio.Event()

        async def send(message: Message) -> None:
            await full.wait()
            sent.append(message)

        async def receive() -> Any:
            await asyncio.sleep(3_600)

        watcher = Watcher(send, Figures())
        watcher.offer(lia := Event.of("board", "Lia", 1))
        watcher.offer(Event.of("board", "Bran", 2))
        staying = asyncio.create_task(watcher.stay(receive, 3_600))
        await asyncio.sleep(0)
        watcher.end(GONE)
        watcher.offer(Event.of("board", "Aria", 3))
        watcher.beat(HEARTBEAT)
        for _ in range(5):
            await asyncio.sleep(0)
        full.set()
        assert await staying is False
        assert sent == [lia.messages[0], GONE.messages[0], body(b"", more=False)]

    asyncio.run(asyncio.wait_for(leave(), PATIENCE))


def test_a_connection_that_breaks_keeps_nobody_else_from_the_news() -> None:
    async def tell() -> None:
        sent: list[Message] = []

        async def broken(_message: Message) -> None:
            raise OSError("the client has gone")

        async def send(message: Message) -> None:
            sent.append(message)

        room = Room(Figures())
        for one in (broken, send, broken, send):
            room.join(Watcher(one, Figures()))
        room.publish(event := Event.of("board", "Lia", 1))
        while len(sent) < 2:
            await asyncio.sleep(0)
        assert sent == [event.messages[0]] * 2

    asyncio.run(asyncio.wait_for(tell(), PATIENCE))


def test_others_get_their_turn_while_a_crowd_is_told() -> None:
    told: list[str] = []

    class Tattler(Watcher):
        def offer(self, event: Event) -> None:
            if not told:
                asyncio.get_running_loop().call_soon(told.append, "somebody's request")
            told.append("a watcher")

    async def send(_message: Message) -> None:
        pass

    async def tell() -> None:
        room = Room(Figures())
        for _ in range(BATCH + 1):
            room.join(Tattler(send, Figures()))
        room.publish(Event.of("board", "Lia", 1))
        while len(told) < BATCH + 2:
            await asyncio.sleep(0)

    asyncio.run(tell())
    assert told.index("somebody's request") <= BATCH
    assert told[-1] == "a watcher"


def test_a_phone_that_does_not_read_leaves_no_task_behind_when_the_server_stops() -> None:
    async def stop() -> None:
        async def wait(*_message: Message) -> Any:
            await asyncio.sleep(3_600)

        watcher = Watcher(wait, Figures())
        watcher.offer(Event.of("board", "Lia", 1))
        staying = asyncio.create_task(watcher.stay(wait, 3_600))
        await asyncio.sleep(0)
        staying.cancel()
        while len(asyncio.all_tasks()) > 2:  # this one and its guard
            await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(stop(), PATIENCE))


class Line(asyncio.Transport):
    """A connection that takes what is written at once, until it is full, closes or breaks."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.full = self.closing = self.broken = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.broken:
            raise OSError
        self.written.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        if self.closing:
            raise AttributeError  # as over TLS
        return int(self.full)

    def is_closing(self) -> bool:
        return self.closing


def test_news_goes_straight_to_a_free_line_and_else_by_way_of_the_server() -> None:
    async def tell() -> None:
        sent: list[Message] = []

        async def send(message: Message) -> None:
            sent.append(message)

        figures, line = Figures(), Line()
        watcher = Watcher(send, figures, line=line)
        first, second, third = (Event.of("board", "Lia", rev) for rev in (1, 2, 3))
        watcher.offer(first)
        assert line.written == [b"%x\r\n%b\r\n" % (len(first.plain), first.plain)]
        line.full = True
        watcher.offer(second)
        line.full, line.closing = False, True
        watcher.offer(third)
        assert sent == [second.messages[0], third.messages[0]]
        assert len(line.written) == 1
        assert figures.sent == 3

    asyncio.run(tell())


def test_a_line_that_breaks_keeps_nobody_else_from_their_news() -> None:
    async def tell() -> None:
        async def send(_message: Message) -> None:
            raise AssertionError("the line is free")

        figures, lines = Figures(), [Line(), Line()]
        room = Room(figures)
        for line in lines:
            room.join(Watcher(send, figures, line=line))
        lines[0].broken = True
        for rev in (1, 2):
            told = room.publish(Event.of("board", "Lia", rev))
            assert told is not None
            await told
        assert [len(line.written) for line in lines] == [0, 2]
        assert figures.sent == 2

    asyncio.run(tell())
