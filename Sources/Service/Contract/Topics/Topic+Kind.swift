extension Topic {
    /// A topic without the names in it; each kind has a row in the table (``TopicRow``).
    public enum Kind: Hashable, Sendable, CustomStringConvertible {
        case parsed(ParsedKind)
        case listed(ListedKind)

        public var description: String {
            switch self {
            case .parsed(let kind): "\(kind)"
            case .listed(let kind): kind.name
            }
        }
    }

    /// The kinds with a case in ``Topic``, which is written and read by hand, for speed.
    public enum ParsedKind: Int, Hashable, Sendable, CaseIterable {
        case fix, status, request, replies, rejected, stored
        case userGroups, notices, location
        case group, member, path, alerts
        case guestRequest, guestReplies
        case serviceRequest, serviceReplies
        case operatorRequest, operatorReplies
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

    /// The values for the row's pattern.
    enum Parts {
        case words(ParsedKind, Words)
        case names(ListedKind, TopicPattern.Bindings)
    }

    public var kind: Kind {
        switch parts {
        case .words(let kind, _): .parsed(kind)
        case .names(let kind, _): .listed(kind)
        }
    }

    var parts: Parts {
        switch self {
        case .fix(let user, let device): .words(.fix, Words(first: user.text, second: device.text))
        case .status(let user, let device):
            .words(.status, Words(first: user.text, second: device.text))
        case .request(let user, let device, let method):
            .words(.request, Words(first: user.text, second: device.text, third: method))
        case .replies(let user, let device, let suffix):
            .words(.replies, Words(first: user.text, second: device.text, third: suffix))
        case .rejected(let user, let device):
            .words(.rejected, Words(first: user.text, second: device.text))
        case .stored(let user, let device):
            .words(.stored, Words(first: user.text, second: device.text))
        case .userGroups(let user): .words(.userGroups, Words(first: user.text))
        case .notices(let user): .words(.notices, Words(first: user.text))
        case .location(let user): .words(.location, Words(first: user.text))
        case .group(let group): .words(.group, Words(first: group.text))
        case .member(let group, let user):
            .words(.member, Words(first: group.text, second: user.text))
        case .path(let group, let user, let segment):
            .words(.path, Words(first: group.text, second: user.text, third: String(segment)))
        case .alerts(let group): .words(.alerts, Words(first: group.text))
        case .guestRequest(let client, let method):
            .words(.guestRequest, Words(first: client.text, second: method))
        case .guestReplies(let client, let suffix):
            .words(.guestReplies, Words(first: client.text, second: suffix))
        case .serviceRequest(let service, let method):
            .words(.serviceRequest, Words(first: service.text, second: method))
        case .serviceReplies(let service, let suffix):
            .words(.serviceReplies, Words(first: service.text, second: suffix))
        case .operatorRequest(let method): .words(.operatorRequest, Words(first: method))
        case .operatorReplies(let suffix): .words(.operatorReplies, Words(first: suffix))
        case .ownTracks(let user, let device, ""):
            .words(.ownTracksLocation, Words(first: user.text, second: device.text))
        case .ownTracks(let user, let device, "cmd"):
            .words(.ownTracksCommand, Words(first: user.text, second: device.text))
        case .ownTracks(let user, let device, let suffix):
            .words(.ownTracksMessage, Words(first: user.text, second: device.text, third: suffix))
        case .ownTracksMember(let viewer, let member, ""):
            .words(.ownTracksMember, Words(first: viewer.text, second: member.text))
        case .ownTracksMember(let viewer, let member, let suffix):
            .words(
                .ownTracksMemberDetail,
                Words(first: viewer.text, second: member.text, third: suffix))
        case .systemStatus: .words(.systemStatus, Words())
        case .metric(let name): .words(.metric, Words(first: name))
        case .brokerFigure(let suffix): .words(.brokerFigure, Words(first: suffix))
        case .connections: .words(.connections, Words())
        case .marker: .words(.marker, Words())
        case .listed(let kind, let names): .names(kind, names)
        }
    }

    /// The names that decide permissions.
    var bindings: TopicPattern.Bindings {
        switch self {
        case .fix(let user, let device), .status(let user, let device),
            .request(let user, let device, _), .replies(let user, let device, _),
            .rejected(let user, let device), .stored(let user, let device),
            .ownTracks(let user, let device, _):
            TopicPattern.Bindings(user: user, device: device)
        case .userGroups(let user), .notices(let user), .location(let user):
            TopicPattern.Bindings(user: user)
        case .group(let group), .alerts(let group):
            TopicPattern.Bindings(group: group)
        case .member(let group, let user), .path(let group, let user, _):
            TopicPattern.Bindings(user: user, group: group)
        case .guestRequest(let client, _), .guestReplies(let client, _):
            TopicPattern.Bindings(client: client)
        case .serviceRequest(let service, _), .serviceReplies(let service, _):
            TopicPattern.Bindings(service: service)
        case .ownTracksMember(let viewer, let member, _):
            TopicPattern.Bindings(user: viewer, member: member)
        case .listed(_, let names): names
        case .operatorRequest, .operatorReplies, .systemStatus, .metric, .brokerFigure,
            .connections, .marker:
            TopicPattern.Bindings()
        }
    }
}
