/// Vibrates the device, once the page has been touched: before that browsers refuse and log a
/// complaint.

export function vibrate(pattern) {
    if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}
