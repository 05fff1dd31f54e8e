/// Values in the browser's storage, as JSON. Where it is full or switched off, the page works as if
/// nothing had been saved.

/// Null where there is nothing, or nothing that this page wrote.
///
/// - `area`: `localStorage`, or `sessionStorage` for what belongs to one tab.
export function readStored(key, area = "localStorage") {
    try {
        return JSON.parse(window[area].getItem(key));
    } catch {
        return null;
    }
}

/// `null` takes away what was saved.
export function writeStored(key, value, area = "localStorage") {
    try {
        if (value === null) window[area].removeItem(key);
        else window[area].setItem(key, JSON.stringify(value));
    } catch {
        // There is no room, or no permission.
    }
}
