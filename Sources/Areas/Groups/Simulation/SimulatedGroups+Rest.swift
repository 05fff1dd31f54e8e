import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

extension SimulatedGroups {
    // MARK: Answers

    /// Checks that an answer about a group is sent to a user who was a member at the time of the
    /// request, or later.
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        observers.answered(request, answer)
        guard let result = answer["result"], Method.named(request.method)?.isRead == true else {
            return
        }
        var groups = [request.fields["group"]]
        if request.method == "group.list" {
            groups += (result["groups"]?.elements ?? []).map { $0["group"] }
        }
        for case .string(let text)? in groups {
            guard let group = GroupKey(text), !wasMember(phone.user, group, since: request.at)
            else { continue }
            world.oracles.fail(
                "answers", "\(phone.id) is answered \(request.method) about \(group)")
        }
    }

    // MARK: At rest

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.memberships().map { group, user in
            "membership \(group.rawValue) \(user.rawValue)"
        } + transaction.observers().map { "\($0)" }
    }

    func checkRest() throws {
        for phone in world.phones where phone.isLoggedIn { checkView(phone) }
        observers.checkRest()
        let names = world.oracles.read { try $0.groups().map(\.name) }
        var found: Set<String> = []
        for name in names ?? [] where !found.insert(name).inserted && world.isAskedOnce(name) {
            world.oracles.fail("once", "the group \(name) was made twice")
        }
    }

    /// Checks that the phone shows what the broker retains, and knows its groups.
    private func checkView(_ phone: Phone) {
        for (topic, state) in phone.groups.states.sorted(by: { $0.key < $1.key })
        where !state.payload.isEmpty {
            // A member who has left is no longer in the list of members.
            guard case .member(let group, let member) = world.topics.parse(topic),
                phone.groups.since[group] != nil, memberSince[member]?[group] != nil
            else { continue }
            if world.broker.state.retained[topic]?.payload != state.payload {
                world.oracles.fail("views", "\(phone.id) sees an old state on \(topic)")
            }
        }
        let rights = world.oracles.access[phone.user]?.facts.groups ?? []
        if Set(phone.groups.joined) != rights {
            world.oracles.fail("views", "\(phone.id) believes to be in other groups")
        }
    }

    static var canaries: [Canary] { [forgetMembership, nameAnother] + SimulatedObservers.canaries }

    /// Bug: a group list contains a group that the person never was in.
    private static var nameAnother: Canary {
        var canary = Canary("nameAnother", foundBy: "answers")
        canary.sending = { messages in
            for index in messages.indices where messages[index].topic.hasSuffix("/replies") {
                let text = String(decoding: messages[index].payload, as: UTF8.self)
                let other = #"{"groups":[{"group":"AAAAAAAAAAAAAAAAAAAAAA"},{"#
                messages[index].payload = Array(text.replacing(#"{"groups":[{"#, with: other).utf8)
            }
        }
        return canary
    }

    /// Bug: every group list is empty.
    private static var forgetMembership: Canary {
        var canary = Canary("forgetMembership", foundBy: "views")
        canary.sending = { messages in
            for index in messages.indices where messages[index].topic.hasSuffix("/groups") {
                messages[index].payload = Array("[]".utf8)
            }
        }
        return canary
    }
}
