// Several lines pasted into a field of names, which has but one: each line is a name of its own.
document.addEventListener("paste", (event) => {
  const field = event.target;
  if (!field.matches?.("input[data-lines]")) return;
  const lines = event.clipboardData.getData("text/plain").split(/[\r\n]+/).filter((line) => line.trim());
  if (lines.length < 2) return;
  event.preventDefault();
  field.setRangeText(lines.join(", "), field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
});
