"""What the live pages of this process have done so far, in numbers that cost next to nothing."""

from dataclasses import asdict, dataclass


@dataclass(slots=True)
class Figures:
    """Counted since the process began; they only grow."""

    opened: int = 0  # streams of players
    refused: int = 0  # streams of players that were not opened, for want of a place or a database
    aged: int = 0  # streams that were ended because of their age
    rendered: int = 0  # boards, each for all who watch it in one language
    unread: int = 0  # boards that could not be rendered
    offered: int = 0  # events times watchers
    sent: int = 0  # of those, the ones that were written to a connection
    sent_bytes: int = 0  # before the connection adds its own
    lag_sum: float = 0.0  # seconds from an announcement until the last watcher was offered it
    lag_count: int = 0
    lag_max: float = 0.0  # seconds
    published: int = 0  # messages to other processes
    unpublished: int = 0  # messages that were lost
    heard: int = 0  # messages of other processes

    def lagged(self, seconds: float) -> None:
        """Note how long one announcement took to be offered to all."""
        self.lag_sum += seconds
        self.lag_count += 1
        self.lag_max = max(self.lag_max, seconds)

    def as_dict(self) -> dict[str, float]:
        """A copy by name, in which nothing changes any more."""
        return asdict(self)
