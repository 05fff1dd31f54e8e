extension TopicSpace {
    public func string(_ topic: Topic) -> String {
        switch topic {
        case .fix(let user, let device): "\(root)/users/\(user)/devices/\(device)/fix"
        case .status(let user, let device): "\(root)/users/\(user)/devices/\(device)/status"
        case .request(let user, let device, let method):
            "\(root)/users/\(user)/devices/\(device)/requests/\(method)"
        case .replies(let user, let device, let suffix):
            "\(root)/users/\(user)/devices/\(device)/replies\(suffix)"
        case .rejected(let user, let device): "\(root)/users/\(user)/devices/\(device)/rejected"
        case .stored(let user, let device): "\(root)/users/\(user)/devices/\(device)/stored"
        case .userGroups(let user): "\(root)/users/\(user)/groups"
        case .notices(let user): "\(root)/users/\(user)/notices"
        case .group(let group): "\(root)/groups/\(group)"
        case .member(let group, let user): "\(root)/groups/\(group)/members/\(user)"
        case .path(let group, let user, let segment):
            "\(root)/groups/\(group)/members/\(user)/path/\(segment)"
        case .alerts(let group): "\(root)/groups/\(group)/alerts"
        case .guestRequest(let client, let method): "\(root)/guests/\(client)/requests/\(method)"
        case .guestReplies(let client, let suffix): "\(root)/guests/\(client)/replies\(suffix)"
        case .connections: "\(root)/bridge/connections"
        case .systemStatus: "\(root)/system/status"
        case .metric(let name): "\(root)/system/metrics/\(name)"
        case .ownTracks(let user, let device, let suffix):
            "\(TopicSpace.ownTracksRoot)/\(user)/\(device)\(suffix.isEmpty ? "" : "/\(suffix)")"
        case .ownTracksMember(let viewer, let member, let suffix):
            "\(TopicSpace.ownTracksRoot)/\(viewer)/@\(member)"
                + (suffix.isEmpty ? "" : "/\(suffix)")
        }
    }
}
