// One walk over the page as it is laid out: every element and every text that is not blank, in
// document order, with its box, its style and whether it can be seen. The answer is one JSON string:
// nested arrays through the driver cost three times as much.
//
// It runs in a world of its own, where the page's scripts cannot have replaced anything. Elements can
// still hide properties: <form><input name="lastChild">, <img name="body">. So properties are read by
// the getters of their prototypes.
(limits) => {
  const getter = (prototype, name) => {
    const get = Object.getOwnPropertyDescriptor(prototype, name).get;
    return (object) => get.call(object);
  };
  const method = (prototype, name) => {
    const run = prototype[name];
    return (object, ...rest) => run.apply(object, rest);
  };
  const typeOf = getter(Node.prototype, "nodeType"), lastOf = getter(Node.prototype, "lastChild");
  const before = getter(Node.prototype, "previousSibling");
  const dataOf = getter(CharacterData.prototype, "data");
  const nameOf = getter(Element.prototype, "localName");
  const attributeOf = method(Element.prototype, "getAttribute");
  const rectOf = method(Element.prototype, "getBoundingClientRect");
  const wide = getter(Element.prototype, "scrollWidth");
  const tall = getter(Element.prototype, "scrollHeight");
  const root = getter(Document.prototype, "documentElement")(document);
  const bodyOf = getter(Document.prototype, "body"), titleOf = getter(Document.prototype, "title");
  let letters = 0;
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
    const values = [parseFloat(s.fontSize) || 0, Math.round(parseFloat(s.fontWeight)) || 400, s.color,
                    s.backgroundColor, s.backgroundImage !== "none", s.display, s.position,
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
      const value = attributeOf(element, name);
      if (value === null) continue;
      found.push([name, value.slice(0, limits.attribute)]);
      letters += Math.min(value.length, limits.attribute);
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

  const range = method(Document.prototype, "createRange")(document);
  const addText = (text, parent, state, style) => {
    const raw = dataOf(text);
    const data = raw.trim() === "" ? "" : raw.replace(/\s+/g, " ");
    if (data === "") return;
    letters += Math.min(data.length, limits.text);
    range.selectNodeContents(text);
    const e = edges(range.getBoundingClientRect());
    const visible = state.visible && shows(e, state.clip);
    nodes.push([parent, "#text", box(e), visible, style,
                data.slice(0, limits.text), []]);
  };

  const stack = [[root, -1, {visible: true, clip: everywhere, style: 0}]];
  while (root !== null && stack.length > 0) {
    const [node, parent, outer] = stack.pop();
    if (nodes.length >= limits.nodes) return JSON.stringify({tooMany: "nodes"});
    if (letters > limits.letters) return JSON.stringify({tooMany: "letters"});
    if (typeOf(node) === Node.TEXT_NODE) {
      addText(node, parent, outer, outer.style);
      continue;
    }
    const style = getComputedStyle(node);
    const e = edges(rectOf(node));
    const there = outer.there !== false && style.display !== "none" && style.opacity !== "0";
    const visible = there && style.visibility === "visible";
    const clip = clipOf(style, e, outer.clip);
    const own = styleNumber(style);
    nodes.push([parent, nameOf(node), box(e), visible && shows(e, outer.clip), own, "",
                attributes(node)]);
    const inner = {there: there, visible: visible, clip: clip, style: own};
    const place = nodes.length - 1;
    for (let child = lastOf(node); child !== null; child = before(child)) {
      if (typeOf(child) === Node.ELEMENT_NODE || typeOf(child) === Node.TEXT_NODE) {
        stack.push([child, place, inner]);
      }
    }
  }
  if (root === null) return JSON.stringify({tooMany: "nothing"});
  const body = bodyOf(document) || root;
  return JSON.stringify({
    title: titleOf(document),
    width: Math.max(wide(root), wide(body)),
    height: Math.max(tall(root), tall(body)),
    styles: styles,
    nodes: nodes,
  });
}
