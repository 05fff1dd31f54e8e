/// Configuration of an OwnTracks app, as written by `kith user token … --owntracks`.

/// - Parameters: the broker's address for phones, and the credentials of the device.
export function ownTracksConfiguration(broker, { user, device, token }) {
    return {
        _type: "configuration",
        mode: 0,
        host: broker.host,
        port: broker.port,
        tls: broker.tls,
        auth: true,
        username: user,
        password: token,
        deviceId: device,
        clientId: `${user}.${device}`,
        tid: user.slice(-2),
        mqttProtocolLevel: 4,
        cleanSession: false,
        pubTopicBase: `owntracks/${user}/${device}`,
        pubQos: 1,
        pubRetain: false,
        sub: true,
        subTopic: [
            `owntracks/${user}/+`, `owntracks/${user}/+/info`, `owntracks/${user}/+/event`,
            `owntracks/${user}/${device}/cmd`,
        ].join(" "),
        subQos: 1,
        cmd: true,
        extendedData: true,
    };
}

/// A link that opens the app with that configuration, on a phone that has it.
export function ownTracksLink(configuration) {
    const bytes = new TextEncoder().encode(JSON.stringify(configuration));
    const text = btoa(String.fromCharCode(...bytes));
    return `owntracks:///config?inline=${encodeURIComponent(text)}`;
}
