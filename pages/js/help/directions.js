/// Links that open a map with directions to a person.

/// `{device, web}`: a link for the device's own map, and one for a web page, which receives the
/// position when the link is followed. `device` is null on platforms without such links.
///
/// - Parameter agent: the browser's description of its platform.
export function directionsTo({ latitude, longitude }, name, agent = navigator) {
    const point = `${latitude.toFixed(6)},${longitude.toFixed(6)}`;
    const web = `https://www.openstreetmap.org/directions?to=${encodeURIComponent(point)}`;
    return { device: deviceLink(point, name, agent), web };
}

function deviceLink(point, name, { userAgent, maxTouchPoints }) {
    // Apple's devices do not support `geo:` links.
    const isApple = /iPhone|iPad|iPod|Macintosh/.test(userAgent);
    if (isApple) return `maps://?daddr=${point}`;
    // RFC 5870; the label is an extension of Android's maps.
    if (maxTouchPoints > 0 || /Android|Mobile/.test(userAgent)) {
        return `geo:${point}?q=${point}(${encodeURIComponent(name)})`;
    }
    return null;
}
