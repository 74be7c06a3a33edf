// One walk over the page as it is laid out: every element and every text that is not blank, in
// document order, with its box, its style and whether it can be seen. The answer is one JSON string:
// nested arrays through the driver cost three times as much.
(limits) => {
  const styles = [];
  const styleNumbers = new Map();
  const nodes = [];
  const kept = ["id", "class", "href", "src", "alt", "title", "role", "type", "name", "value", "for",
                "placeholder", "aria-label"];
  const everywhere = [-1e9, -1e9, 1e9, 1e9];
  const left = window.scrollX, top = window.scrollY;

  const number = (pixels) => Math.round(Math.max(-1e6, Math.min(1e6, pixels)));
  const meet = (a, b) => [Math.max(a[0], b[0]), Math.max(a[1], b[1]),
                          Math.min(a[2], b[2]), Math.min(a[3], b[3])];
  const edges = (r) => [r.left + left, r.top + top, r.right + left, r.bottom + top];
  const box = (e) => [number(e[0]), number(e[1]),
                      number(e[2]) - number(e[0]), number(e[3]) - number(e[1])];
  const shows = (e, clip) => {
    const seen = meet(meet(e, clip), [0, 0, 1e9, 1e9]);
    return seen[2] - seen[0] >= 1 && seen[3] - seen[1] >= 1;
  };

  const styleNumber = (s) => {
    const borders = ["Top", "Right", "Bottom", "Left"].filter(
      (side) => s[`border${side}Style`] !== "none" && parseFloat(s[`border${side}Width`]) > 0);
    const values = [parseFloat(s.fontSize) || 0, parseInt(s.fontWeight) || 400, s.color,
                    s.backgroundColor, s.backgroundImage === "none" ? 0 : 1, s.display, s.position,
                    s.float, borders.length, s.textAlign];
    const key = values.join("|");
    if (!styleNumbers.has(key)) {
      styleNumbers.set(key, styles.length);
      styles.push(values);
    }
    return styleNumbers.get(key);
  };

  const attributes = (element) => {
    const found = [];
    for (const name of kept) {
      const value = element.getAttribute(name);
      if (value !== null) found.push([name, value.slice(0, limits.attribute)]);
    }
    return found;
  };

  const clipOf = (style, edges, outer) => {
    // What is taken out of the flow escapes the overflow of its ancestors often enough.
    const before = style.position === "fixed" ? everywhere : outer;
    const cut = style.overflowX !== "visible" || style.overflowY !== "visible";
    const scrolls = /auto|scroll/.test(style.overflowX + style.overflowY);
    return cut && !scrolls && style.display !== "inline" ? meet(before, edges) : before;
  };

  const range = document.createRange();
  const addText = (text, parent, state, style) => {
    const data = text.data.trim() === "" ? "" : text.data.replace(/\s+/g, " ");
    if (data === "") return;
    range.selectNodeContents(text);
    const e = edges(range.getBoundingClientRect());
    const visible = state.visible && shows(e, state.clip);
    nodes.push([parent, "#text", box(e), visible ? 1 : 0, style,
                data.slice(0, limits.text), []]);
  };

  const stack = [[document.documentElement, -1, {visible: true, clip: everywhere, style: 0}]];
  while (stack.length > 0) {
    const [node, parent, outer] = stack.pop();
    if (nodes.length >= limits.nodes) return JSON.stringify({tooMany: limits.nodes});
    if (node.nodeType === Node.TEXT_NODE) {
      addText(node, parent, outer, outer.style);
      continue;
    }
    const style = getComputedStyle(node);
    const e = edges(node.getBoundingClientRect());
    const there = outer.there !== false && style.display !== "none" && style.opacity !== "0";
    const visible = there && style.visibility === "visible";
    const clip = clipOf(style, e, outer.clip);
    const own = styleNumber(style);
    nodes.push([parent, node.localName, box(e), visible && shows(e, outer.clip) ? 1 : 0, own, "",
                attributes(node)]);
    const inner = {there: there, visible: visible, clip: clip, style: own};
    const place = nodes.length - 1;
    for (let child = node.lastChild; child !== null; child = child.previousSibling) {
      if (child.nodeType === Node.ELEMENT_NODE || child.nodeType === Node.TEXT_NODE) {
        stack.push([child, place, inner]);
      }
    }
  }
  const root = document.documentElement, body = document.body || root;
  return JSON.stringify({
    title: document.title,
    width: Math.max(root.scrollWidth, body.scrollWidth),
    height: Math.max(root.scrollHeight, body.scrollHeight),
    styles: styles,
    nodes: nodes,
  });
}
