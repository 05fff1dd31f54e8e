/// The server's clock; the device's own may be wrong by any amount.

let offset = 0;
let isTold = false;

/// Sets the clock by the `Date` header of an answer that has just arrived.
export function setClock(date) {
    const told = Date.parse(date);
    if (Number.isNaN(told)) return;
    offset = told - Date.now();
    isTold = true;
}

/// By how many milliseconds the server's clock is ahead, to be kept for a start without a network.
export const clockOffset = () => offset;

/// Restores a kept offset, unless the server has reported its time.
export function restoreClock(kept) {
    if (!isTold && Number.isFinite(kept)) offset = kept;
}

/// Milliseconds since 1970, accurate to a second plus the time an answer takes.
export function serverNow() {
    return Date.now() + offset;
}
