"""Lines between pages and the server: how many a page has, and whether it stayed as it was."""

from playwright.sync_api import Page

COUNT_STREAMS = """
    window.streams = [];
    window.EventSource = class extends EventSource {
        constructor(...address) { super(...address); streams.push(this); }
    };
    const isOpen = ({ readyState }) => readyState !== EventSource.CLOSED;
    window.openStreams = () => streams.filter(isOpen).length;
"""
BACK = 50_000.0  # milliseconds: ten times what a page may take to be right again


def count_streams(page: Page) -> None:
    """Count the streams of each document that this page will show."""
    page.add_init_script(COUNT_STREAMS)


def mark(page: Page) -> None:
    """Mark the document, so that one loaded in its place is known from it."""
    page.evaluate("document.documentElement.dataset.marked = ''")


def has_stayed(page: Page) -> None:
    """It is the document that was marked, and has the one stream."""
    assert page.evaluate("'marked' in document.documentElement.dataset"), "it was loaded again"
    assert page.evaluate("openStreams()") == 1
