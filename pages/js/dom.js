/// Builds elements without HTML: strings become text nodes, nothing is ever parsed.

const SVG = "http://www.w3.org/2000/svg";

/// Makes an element. `class`, `dataset` and `style` (an object) work as expected, `on…` takes a
/// function, `true` sets an attribute, and `false`, `null` and `undefined` omit it.
export function h(tag, attributes, ...children) {
    return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
    return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function replace(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

/// Writes the text only if it changed, so that a live region is not read out again.
export function write(element, text) {
    const words = text ?? "";
    if (element.textContent !== words) element.textContent = words;
    return element;
}

export function toggle(element, attribute, value) {
    if (value === false || value === null || value === undefined) {
        element.removeAttribute(attribute);
    } else if (element.getAttribute(attribute) !== String(value === true ? "" : value)) {
        element.setAttribute(attribute, value === true ? "" : value);
    }
}

/// Keeps the children of `container` in step with `items`. An element stays in place if its key
/// does, so that the focus, and a press in progress, are not lost.
///
/// - `make(item)` returns `{element, update(item)}`.
export function keyed(container, make, keyOf) {
    const parts = new Map();
    return function show(items) {
        const keys = new Set(items.map(keyOf));
        for (const [key, part] of parts) {
            if (keys.has(key)) continue;
            part.element.remove();
            parts.delete(key);
        }
        let next = container.firstChild;
        for (const item of items) {
            const key = keyOf(item);
            let part = parts.get(key);
            if (!part) {
                part = make(item);
                parts.set(key, part);
            }
            part.update?.(item);
            if (part.element === next) {
                next = next.nextSibling;
            } else {
                container.insertBefore(part.element, next);
            }
        }
    };
}

function fill(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) {
            element.addEventListener(name.slice(2).toLowerCase(), value);
        } else if (name === "dataset") {
            Object.assign(element.dataset, value);
        } else if (name === "style") {
            for (const [key, entry] of Object.entries(value)) element.style.setProperty(key, entry);
        } else if (name === "value" || name === "checked") {
            element[name] = value;
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(element, children);
    return element;
}

function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : String(child));
    }
}
