extension TopicSpace {
    public func string(_ topic: Topic) -> String {
        switch topic {
        case .fix(let user, let device): "\(root)/users/\(user.text)/devices/\(device.text)/fix"
        case .status(let user, let device):
            "\(root)/users/\(user.text)/devices/\(device.text)/status"
        case .request(let user, let device, let method):
            "\(root)/users/\(user.text)/devices/\(device.text)/requests/\(method)"
        case .replies(let user, let device, let suffix):
            "\(root)/users/\(user.text)/devices/\(device.text)/replies\(suffix)"
        case .rejected(let user, let device):
            "\(root)/users/\(user.text)/devices/\(device.text)/rejected"
        case .stored(let user, let device):
            "\(root)/users/\(user.text)/devices/\(device.text)/stored"
        case .userGroups(let user): "\(root)/users/\(user.text)/groups"
        case .notices(let user): "\(root)/users/\(user.text)/notices"
        case .location(let user): "\(root)/users/\(user.text)/location"
        case .group(let group): "\(root)/groups/\(group.text)"
        case .member(let group, let user): "\(root)/groups/\(group.text)/members/\(user.text)"
        case .path(let group, let user, let segment):
            "\(root)/groups/\(group.text)/members/\(user.text)/path/\(segment)"
        case .alerts(let group): "\(root)/groups/\(group.text)/alerts"
        case .chat(let group): "\(root)/groups/\(group.text)/chat"
        case .guestRequest(let client, let method):
            "\(root)/guests/\(client.text)/requests/\(method)"
        case .guestReplies(let client, let suffix): "\(root)/guests/\(client.text)/replies\(suffix)"
        case .connections: "\(root)/bridge/connections"
        case .systemStatus: "\(root)/system/status"
        case .metric(let name): "\(root)/system/metrics/\(name)"
        case .ownTracks(let user, let device, let suffix):
            "\(TopicSpace.ownTracksRoot)/\(user.text)/\(device.text)\(suffix.isEmpty ? "" : "/\(suffix)")"
        case .ownTracksMember(let viewer, let member, let suffix):
            "\(TopicSpace.ownTracksRoot)/\(viewer.text)/@\(member.text)"
                + (suffix.isEmpty ? "" : "/\(suffix)")
        }
    }
}
