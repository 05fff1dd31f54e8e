/// Ways to have a map find the way to somebody.

/// `{device, web}`: a link for the device's own map, and one for a page in the browser, which
/// learns the position from whoever follows it. `device` is null where no map answers such links.
///
/// - Parameter agent: what the browser says it runs on.
export function directionsTo({ latitude, longitude }, name, agent = navigator) {
    const point = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const web = `https://www.openstreetmap.org/directions?to=${encodeURIComponent(point)}`;
    return { device: deviceLink(point, name, agent), web };
}

function deviceLink(point, name, { userAgent, maxTouchPoints }) {
    // Apple's devices do not know `geo:` links.
    const isApple = /iPhone|iPad|iPod|Macintosh/.test(userAgent);
    if (isApple) return `maps://?daddr=${point}`;
    // RFC 5870; the label is a habit of Android's maps.
    if (maxTouchPoints > 0 || /Android|Mobile/.test(userAgent)) {
        return `geo:${point}?q=${point}(${encodeURIComponent(name)})`;
    }
    return null;
}
