// Elements of HTML and SVG. What is text stays text: nothing here reads markup.

function made(element, attributes, content) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...content.flat().filter((part) => part !== null && part !== undefined && part !== ""));
  return element;
}

/** An element of HTML; attributes that are null or false are left out. */
export const html = (name, attributes, ...content) => made(document.createElement(name), attributes, content);

/** The same of SVG. */
export const svg = (name, attributes, ...content) =>
  made(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, content);
