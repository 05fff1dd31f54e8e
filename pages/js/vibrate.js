/** Browsers refuse this, and complain, before anybody has touched the page. */
export function vibrate(pattern) {
    if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.(pattern);
}
