extension Topic {
    /// A topic without the names in it; each kind has a row in the table (``TopicRow``).
    public enum Kind: Int, Hashable, Sendable, CaseIterable {
        case fix, status, request, replies, rejected, stored
        case userGroups, notices, location
        case group, member, path, alerts, chat
        case guestRequest, guestReplies
        case ownTracksLocation, ownTracksCommand, ownTracksMessage
        case ownTracksMember, ownTracksMemberDetail
        case systemStatus, metric, brokerFigure, connections, marker
    }

    /// The texts for the placeholders of the row's pattern, from left to right.
    struct Words {
        var first = ""
        var second = ""
        var third = ""
    }

    public var kind: Kind { parts.kind }

    var parts: (kind: Kind, words: Words) {
        switch self {
        case .fix(let user, let device): (.fix, Words(first: user.text, second: device.text))
        case .status(let user, let device): (.status, Words(first: user.text, second: device.text))
        case .request(let user, let device, let method):
            (.request, Words(first: user.text, second: device.text, third: method))
        case .replies(let user, let device, let suffix):
            (.replies, Words(first: user.text, second: device.text, third: suffix))
        case .rejected(let user, let device):
            (.rejected, Words(first: user.text, second: device.text))
        case .stored(let user, let device): (.stored, Words(first: user.text, second: device.text))
        case .userGroups(let user): (.userGroups, Words(first: user.text))
        case .notices(let user): (.notices, Words(first: user.text))
        case .location(let user): (.location, Words(first: user.text))
        case .group(let group): (.group, Words(first: group.text))
        case .member(let group, let user): (.member, Words(first: group.text, second: user.text))
        case .path(let group, let user, let segment):
            (.path, Words(first: group.text, second: user.text, third: String(segment)))
        case .alerts(let group): (.alerts, Words(first: group.text))
        case .chat(let group): (.chat, Words(first: group.text))
        case .guestRequest(let client, let method):
            (.guestRequest, Words(first: client.text, second: method))
        case .guestReplies(let client, let suffix):
            (.guestReplies, Words(first: client.text, second: suffix))
        case .ownTracks(let user, let device, ""):
            (.ownTracksLocation, Words(first: user.text, second: device.text))
        case .ownTracks(let user, let device, "cmd"):
            (.ownTracksCommand, Words(first: user.text, second: device.text))
        case .ownTracks(let user, let device, let suffix):
            (.ownTracksMessage, Words(first: user.text, second: device.text, third: suffix))
        case .ownTracksMember(let viewer, let member, ""):
            (.ownTracksMember, Words(first: viewer.text, second: member.text))
        case .ownTracksMember(let viewer, let member, let suffix):
            (.ownTracksMemberDetail, Words(first: viewer.text, second: member.text, third: suffix))
        case .systemStatus: (.systemStatus, Words())
        case .metric(let name): (.metric, Words(first: name))
        case .brokerFigure(let suffix): (.brokerFigure, Words(first: suffix))
        case .connections: (.connections, Words())
        case .marker: (.marker, Words())
        }
    }

    /// The names that decide who may do what.
    var bindings: TopicPattern.Bindings {
        switch self {
        case .fix(let user, let device), .status(let user, let device),
            .request(let user, let device, _), .replies(let user, let device, _),
            .rejected(let user, let device), .stored(let user, let device),
            .ownTracks(let user, let device, _):
            TopicPattern.Bindings(user: user, device: device)
        case .userGroups(let user), .notices(let user), .location(let user):
            TopicPattern.Bindings(user: user)
        case .group(let group), .alerts(let group), .chat(let group):
            TopicPattern.Bindings(group: group)
        case .member(let group, let user), .path(let group, let user, _):
            TopicPattern.Bindings(user: user, group: group)
        case .guestRequest(let client, _), .guestReplies(let client, _):
            TopicPattern.Bindings(client: client)
        case .ownTracksMember(let viewer, let member, _):
            TopicPattern.Bindings(user: viewer, member: member)
        case .systemStatus, .metric, .brokerFigure, .connections, .marker:
            TopicPattern.Bindings()
        }
    }
}
