/// Values in the browser's storage, as JSON. If it is full or disabled, the page works as if
/// nothing had been saved.

/// Returns null if there is no value, or none written by this page.
///
/// - `area`: `localStorage`, or `sessionStorage` for values of one tab.
export function readStored(key, area = "localStorage") {
    try {
        return JSON.parse(window[area].getItem(key));
    } catch {
        return null;
    }
}

/// `null` removes what was saved.
export function writeStored(key, value, area = "localStorage") {
    try {
        if (value === null) window[area].removeItem(key);
        else window[area].setItem(key, JSON.stringify(value));
    } catch {
        // No space, or no permission.
    }
}
