"""The links of players and of the GM; the database holds only the hashes of their secrets."""

import hashlib
import hmac
import secrets
import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from encounters import statements
from encounters.models.campaign import Campaign

CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # 31, none of which is taken for another
CODE_LIFE = timedelta(minutes=10)  # of a table code, since the GM's screen has shown it last


def secret_hash(secret: str) -> str:
    """What the database holds of a secret: its SHA-256, in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


class PlayerLink(models.Model):
    """The address of a campaign's player page. Who has it may look, and nothing else.

    It is revoked by deleting its row: an address that was never there and one that is not there
    any more are the same to whoever asks.
    """

    class Life(models.IntegerChoices):
        DAY = 1, _("a day without use")
        WEEK = 7, _("a week without use")
        MONTH = 30, _("30 days without use")
        EVER = 0, _("never")

    campaign = models.ForeignKey(Campaign, models.CASCADE, related_name="links")
    link_id = models.UUIDField(default=uuid.uuid4, unique=True)
    generation = models.PositiveIntegerField(default=1)  # rotating it changes the address
    name = models.CharField(_("name"), max_length=80, blank=True)
    created = models.DateTimeField(default=timezone.now, editable=False)
    last_used = models.DateTimeField(null=True, editable=False)
    days = models.PositiveSmallIntegerField(
        _("closes after"), choices=Life, default=Life.MONTH
    )  # days without use; 0: never
    token_hash = models.CharField(max_length=64, unique=True)
    code_from = models.DateTimeField(null=True, editable=False)  # when its code was shown first
    code_until = models.DateTimeField(null=True, editable=False)  # how long it opens the door

    def __str__(self) -> str:
        return f"link of {self.campaign}"

    def save(self, *args: object, **kwargs: object) -> None:
        self.token_hash = secret_hash(self.token)
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def token(self) -> str:
        """26 characters of Crockford's base 32: 130 bits, derived so that none is stored."""
        message = f"{self.link_id}|{self.generation}".encode()
        digest = hmac.digest(settings.SECRET_KEY.encode(), message, "sha256")
        bits = int.from_bytes(digest, "big") >> (256 - 130)
        return "".join(CROCKFORD[bits >> shift & 31] for shift in range(125, -1, -5))

    def renew(self) -> None:
        """Give it another address, never used yet; whoever has the old one sees nothing more."""
        self.generation += 1
        self.created, self.last_used = timezone.now(), None
        self.save()

    @classmethod
    def of_another_key(cls) -> list["PlayerLink"]:
        """Those made with another secret key: the address that the GM is shown opens nothing."""
        return [link for link in cls.objects.all() if link.token_hash != secret_hash(link.token)]

    @property
    def code(self) -> str:
        """Six characters for the door of the network's address; none is stored."""
        message = f"code|{self.link_id}|{self.generation}|{self.code_from:%Y%m%d%H%M%S%f}".encode()
        number = int.from_bytes(hmac.digest(settings.SECRET_KEY.encode(), message, "sha256"), "big")
        return "".join(CODE_LETTERS[number // 31**place % 31] for place in range(6))

    def show_code(self) -> str:
        """The code for the GM's screen: the same as long as it is looked at now and then."""
        now = timezone.now()
        if self.code_from is None or self.code_until is None or self.code_until < now:
            self.code_from = now
        self.code_until = now + CODE_LIFE
        self.save(update_fields=["code_from", "code_until"])
        return self.code

    @classmethod
    def of_code(cls, typed: str) -> "PlayerLink | None":
        """The open link whose code is on a GM's screen, typed in capitals or not, or None."""
        code = "".join(typed.split()).replace("-", "").upper()
        shown = cls.objects.select_related("campaign").filter(
            code_until__gt=timezone.now(), campaign__deleted=None
        )
        return next((link for link in shown if link.is_open and link.code == code), None)

    @property
    def expires(self) -> datetime | None:
        """When it closes by itself unless it is used before; None: never."""
        since = self.last_used or self.created
        return since + timedelta(days=self.days) if self.days else None

    @property
    def is_open(self) -> bool:
        return self.expires is None or timezone.now() < self.expires

    @classmethod
    def of_token(cls, token: str) -> "PlayerLink | None":
        """The open link with this token, in capitals or not, or None."""
        link = OF_HASH.first(secret_hash(token.upper()))
        if link is None or not link.is_open or link.campaign.deleted:
            return None
        return link


OF_HASH = statements.Query(lambda: PlayerLink.objects.filter(token_hash=""), beside="campaign")


class EntryLink(models.Model):
    """A single-use way in for the GM, good for 30 minutes."""

    LIFE = timedelta(minutes=30)

    secret_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"entry link of {self.created:%Y-%m-%d %H:%M}"

    @classmethod
    def make(cls) -> str:
        """Store a new link and return its secret, which is shown once and kept nowhere."""
        secret = secrets.token_urlsafe(24)
        cls.objects.create(secret_hash=secret_hash(secret))
        return secret

    @classmethod
    def consume(cls, secret: str) -> bool:
        """Whether the secret was good; it is so once, and for `LIFE`."""
        now = timezone.now()
        good = cls.objects.filter(
            secret_hash=secret_hash(secret), used=None, created__gt=now - cls.LIFE
        )
        return good.update(used=now) == 1
