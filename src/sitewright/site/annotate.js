// The page's HTML with the four attributes of the paper in front of each element's own. The copy
// belongs to a document of its own, where nothing is loaded or run.
() => {
  const originals = [document.documentElement, ...document.documentElement.querySelectorAll("*")];
  const inert = document.implementation.createHTMLDocument("");
  const root = inert.importNode(document.documentElement, true);
  const copies = [root, ...root.querySelectorAll("*")];
  originals.forEach((original, place) => {
    const rect = original.getBoundingClientRect();
    if (rect.width === 0 && rect.height === 0) return;
    const lx = Math.round(rect.left + window.scrollX), ly = Math.round(rect.top + window.scrollY);
    const dx = Math.round(rect.right + window.scrollX) - lx;
    const dy = Math.round(rect.bottom + window.scrollY) - ly;
    const copy = copies[place];
    const own = [...copy.attributes];
    own.forEach((attribute) => copy.removeAttributeNode(attribute));
    Object.entries({dy: dy, dx: dx, ly: ly, lx: lx}).forEach(
      ([name, value]) => copy.setAttribute(name, String(value)));
    own.filter((attribute) => !["dy", "dx", "ly", "lx"].includes(attribute.name)).forEach(
      (attribute) => copy.setAttributeNode(attribute));
  });
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : "";
  return type + root.outerHTML;
}
