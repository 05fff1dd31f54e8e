/// Has the device vibrate, once somebody has touched the page: before that browsers refuse and complain.

export function vibrate(pattern) {
    if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}
