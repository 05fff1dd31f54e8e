import Contract
import JSON
import MQTT
import Tracking

/// A phone's knowledge of its owner's groups.
final class GroupMemory: PhoneMemory {
    var joined: [GroupKey] = []
    /// The beginning of the subscription to each group.
    var since: [GroupKey: Duration] = [:]
    /// The states of members that it shows, by topic.
    var states: [String: (version: Int64, payload: [UInt8])] = [:]

    init() {}
}

extension Phone {
    var groups: GroupMemory { memory() }

    /// One of its owner's groups, if there is one.
    var anyGroup: String {
        let chance = world.chance
        return chance.pick(groups.joined)?.text ?? world.area(SimulatedGroups.self).anyKnown
    }

    /// The argument of methods for several groups: all of them, or one.
    var someGroups: String {
        world.chance.happens(40) ? #""all""# : #"["\#(anyGroup)"]"#
    }

    /// The name of any user.
    var somebody: Name { world.chance.pick(world.phones)?.user ?? user }

    func subscribe(to group: GroupKey) {
        // Retained messages are sent again.
        let topic = world.topics.string(.group(group))
        groups.states = groups.states.filter { !$0.key.hasPrefix(topic + "/") }
        guard let wire, wire.isOpen, world.broker.subscribe("\(topic)/#", .atLeastOnce, wire)
        else {
            groups.since[group] = nil
            return
        }
        if groups.since[group] == nil { groups.since[group] = world.steady }
    }
}

extension SimulatedGroups {
    func connected(_ phone: Phone) {
        if phone.wire?.sessionPresent != true { phone.groups.since = [:] }
        for group in phone.groups.joined { phone.subscribe(to: group) }
    }

    func forgetSubscriptions(of phone: Phone, since time: Duration) {
        phone.groups.since = phone.groups.since.filter { $0.value < time }
    }

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        switch topic {
        case .userGroups: take(SimulatedGroups.groups(message), phone)
        case .member:
            let version = JSONValue.of(message.payload)["version"]?.integer ?? -1
            if message.payload.isEmpty {
                // The version is kept: an older message may still be queued.
                phone.groups.states[message.topic]?.payload = []
            } else if version >= phone.groups.states[message.topic]?.version ?? 0 {
                phone.groups.states[message.topic] = (version, message.payload)
            }
        default: break
        }
    }

    private func take(_ groups: [GroupKey], _ phone: Phone) {
        phone.groups.joined = groups
        for group in groups where phone.groups.since[group] == nil { phone.subscribe(to: group) }
        // Some apps do not unsubscribe from groups that they have left.
        for group in phone.groups.since.keys.sorted() where !groups.contains(group) {
            phone.groups.since[group] = nil
            guard world.chance.happens(50), let wire = phone.wire else { continue }
            world.broker.unsubscribe("\(world.topics.string(.group(group)))/#", wire)
        }
    }

    func received(_ message: Message, on topic: Topic, by adversary: Adversary) {
        if case .userGroups = topic { adversary.groups = SimulatedGroups.groups(message) }
    }

    private static func groups(_ message: Message) -> [GroupKey] {
        JSONValue.of(message.payload).elements.compactMap {
            $0["group"]?.text.flatMap { GroupKey($0) }
        }
    }
}
