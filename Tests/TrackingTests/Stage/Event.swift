import Tracking

/// Everything that can happen to a tracker, as one value.
enum Event: Hashable, Sendable {
    case joins(GroupID)
    case leaves(GroupID)
    case startsSharing([GroupID])
    case stopsSharing([GroupID])
    case startsJourney(Destination, eta: Timestamp, [GroupID])
    case extendsJourney(eta: Timestamp)
    case stopsJourney
    case triggersSOS
    /// The position is first received like any other; it is sent with the request.
    case triggersSOSWith(Fix, DeviceID)
    case stopsSOS
    /// By their vital signs; alerts the chosen groups.
    case isInNeed([GroupID])
    case isAssisted
    /// A group that was joined during the emergency.
    case calls(GroupID)
    /// A member of the group has seen its last SOS alert.
    case acknowledges(GroupID)
    case fix(Fix, DeviceID)
    /// Reported by an app that watches a circle itself.
    case crosses(Crossing, DeviceID)
    case connects(DeviceID)
    case disconnects(DeviceID)
    case speaks(DeviceID)
    case isForgotten(DeviceID)
    /// The person begins something on which others rely.
    case actsOn(DeviceID)
    /// Or calls for help there.
    case callsOn(DeviceID)
    /// The person chooses the device that stands for them; nil: none.
    case names(DeviceID?)
    /// Another request to the bridge, from a device.
    case asks
    case sharesWithFriends
    case stopsSharingWithFriends
    case turnsOff
    /// The bridge stops or cannot hear the broker: no timer runs.
    case bridgeGoesDeaf
    case bridgeListens
    /// The server's clock was set, to the time of the event.
    case clockIsSet
    case timePasses
}

extension GroupID {
    static let family = GroupID(rawValue: 1)
    static let work = GroupID(rawValue: 2)
    static let choir = GroupID(rawValue: 3)
}

extension DeviceID {
    static let phone = DeviceID(rawValue: 1)
    static let watch = DeviceID(rawValue: 2)
    static let tablet = DeviceID(rawValue: 3)
}

extension UserID {
    static let ann = UserID(rawValue: 7)
}
