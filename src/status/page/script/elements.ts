/** Makes and finds elements. Text is always text: nothing here parses HTML. */
export const elements = /* js */ `
/**
 * @template {HTMLElement} [Found=HTMLElement]
 * @param {string} id
 */
function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error('There is no #' + id);
  return /** @type {Found} */ (found);
}

/**
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} [attributes]
 * @param {...(Node | string)} content
 */
function element(name, attributes = {}, ...content) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...content);
  return made;
}

/**
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} content
 */
function shape(name, attributes = {}, ...content) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...content);
  return made;
}

/** @param {string} kind */
function icon(kind) {
  const use = shape('use', { href: '#icon-' + kind });
  return shape('svg', { class: 'icon', 'aria-hidden': 'true' }, use);
}

/**
 * Touches the page only where something is new: what is selected stays selected.
 * @param {Element} target
 * @param {string} text
 */
function setText(target, text) {
  if (target.textContent !== text) target.textContent = text;
}
`;
