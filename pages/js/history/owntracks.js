/// Positions in OwnTracks Recorder files (https://owntracks.org/booklet/tech/json/).

const KMH = 3.6;

export function* positionsOfOwnTracks(message) {
    if (message?._type !== "location") return;
    const { lat, lon, tst, acc, alt, vel, cog } = message;
    yield {
        latitude: lat, longitude: lon, timestamp: typeof tst === "number" ? tst * 1000 : NaN,
        accuracy: acc, altitude: alt, heading: cog,
        speed: typeof vel === "number" ? vel / KMH : undefined,
    };
}
