/// The server's clock; the device's own may be wrong by any amount.

let offset = 0;

/// Sets the clock by the `Date` header of an answer that has just arrived.
export function setClock(date) {
    const told = Date.parse(date);
    if (!Number.isNaN(told)) offset = told - Date.now();
}

/// Milliseconds since 1970, accurate to a second plus the time that an answer takes.
export function serverNow() {
    return Date.now() + offset;
}
