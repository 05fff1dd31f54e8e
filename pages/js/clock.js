/// The server's clock: that of the device may be wrong by any amount.

let offset = 0;

/// Learns from the `Date` of an answer that came just now.
export function setClock(date) {
    const told = Date.parse(date);
    if (!Number.isNaN(told)) offset = told - Date.now();
}

/// Milliseconds since 1970, to within a second and the time that an answer takes.
export function serverNow() {
    return Date.now() + offset;
}
