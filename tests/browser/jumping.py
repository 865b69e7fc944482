"""Whether anything on a page jumps: the browser's own record of what has moved."""

from playwright.sync_api import Page

# Every shift counts, also those right after a key or a click. But a log grows by its newest line,
# the turn panel tells of somebody else each turn and so do the words on Next turn, what is gone
# cannot jump, and where nothing but a figure has changed in its place, the place has not moved. By
# whom somebody is unnoticed stands behind a mark that goes when the row comes into sight.
WATCH_JUMPS = """
    window.shifts = [];
    const counts = ({ node, previousRect: a, currentRect: b }) => {
        const part = node?.nodeType === Node.TEXT_NODE ? node.parentElement : node;
        const moved = part && JSON.stringify(a) !== JSON.stringify(b);
        return moved && !part.closest(".log, .turn > *, .preview *, [popovertarget=m-unnoticed]");
    };
    const name = ({ node, previousRect: a, currentRect: b }) => {
        const html = (node?.outerHTML ?? node?.data ?? "gone").slice(0, 90);
        return `${html} ${JSON.stringify(a)} -> ${JSON.stringify(b)}`;
    };
    const note = (entries) => {
        for (const { value, sources } of entries) {
            const moved = sources.filter(counts);
            if (value && moved.length) shifts.push(moved.map(name).join(" | "));
        }
    };
    const observer = new PerformanceObserver((list) => note(list.getEntries()));
    observer.observe({ type: "layout-shift", buffered: true });
    window.takeShifts = async () => {
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        note(observer.takeRecords());
        return shifts.splice(0);
    };
"""


def watch_jumps(page: Page) -> None:
    """Record whatever jumps on the pages that are opened from now on.

    It lasts as long as the window; where there are many tests, ask for one that has the script.
    """
    page.add_init_script(WATCH_JUMPS)


def jumps(page: Page) -> list[str]:
    """What has jumped since this was asked last."""
    shifts: list[str] = page.evaluate("takeShifts()")
    return shifts
