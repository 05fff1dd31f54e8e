import Contract
import Gazetteer
import Store
import Tracking

extension Emergencies {
    /// Sends the alert, or its repetition, to the group.
    func raise(_ alert: Alert, of person: Person, repetition: Int) throws {
        guard let group = memory.groups[alert.group] else { return }
        if repetition == 0 {
            try transaction.insert(alert, of: person.id)
            noteUsage(.alerts, of: person)
        }
        count("alerts-\(alert.kind.rawValue)")
        var row = AlertRow(alert: alert, user: person.id)
        var informed: Set<UserID> = []
        if repetition > 0, let earlier = try transaction.alert(alert.id) {
            try transaction.update(alert)
            row = AlertRow(
                alert: alert, user: person.id, acknowledgedBy: earlier.acknowledgedBy,
                responses: earlier.responses)
            // The first position also goes to members who have seen the call.
            if !alert.locates(earlier.alert, settings.rules) {
                informed = Set(earlier.acknowledgedBy)
            }
        }
        guard var message = self.message(row) else { return }
        (message.repetition, message.saidAt) = (repetition, now)
        try send(topics.string(.alerts(group.key)), message.payload)
        try areas.channels.tell(message, of: person, in: group, except: informed)
        if repetition == 0 { areas.notices.noteUnread(in: group) }
    }

    func listAlerts(of key: GroupKey, before: UUIDv7?, limit: Int, by person: Person)
        throws -> [UInt8]
    {
        let group = try group(key, of: person)
        let joined = try transaction.seenFrom(by: person.id, in: group.id)
        // A new member has to see the alerts from before they joined in order to help.
        let calls = look(through: group.members).filter { $0.isInSOS(in: group) }
            .compactMap { $0.tracker.emergency?.startedAt }
            .map { UUIDv7(at: $0, random: (0, 0)) }
        let joining = UUIDv7(at: joined?.time ?? now, random: (0, 0))
        let first = (calls + [joining]).min() ?? joining
        // One more, to find out whether there is more.
        let rows = try transaction.alerts(
            of: group.id, from: first, before: before, limit: limit + 1)
        var page = ListPage()
        for row in rows.prefix(limit) where page.hasRoom {
            page.next = row.alert.id.description
            guard row.alert.id >= joining || isOfCall(row, in: group) else { continue }
            if let message = message(row, to: person) {
                page.add { $0.object(AlertMessage.payload, message) }
            }
        }
        if page.next == rows.last?.alert.id.description { page.next = nil }
        return page.result(EmergencyResult.alerts)
    }

    /// Whether the alert belongs to an ongoing SOS.
    private func isOfCall(_ row: AlertRow, in group: Group) -> Bool {
        guard let person = memory.people[row.user], person.isInSOS(in: group) else { return false }
        return person.tracker.emergency.map { row.alert.at >= $0.startedAt } ?? false
    }

    /// Records who has seen an alert and who helps, which the whole group sees. A call is repeated
    /// until a member helps, or two have seen it: otherwise a single member could keep it from the
    /// others. An acknowledgement by the person concerned has no effect.
    func acknowledge(_ id: UUIDv7, _ answer: EmergencyCommand.Answer, by person: Person)
        throws -> [UInt8]
    {
        let found = try transaction.alert(id)
        guard let found, person.membership(in: found.alert.group) != nil else {
            throw Problem(.unknownAlert, "There is no alert with that id in your groups.")
        }
        guard answer == .seen || found.alert.kind.isCall else {
            throw Problem(invalid: [.init(field: "kind", reason: "is only for calls for help")])
        }
        var isNew = false
        if found.user != person.id, let concerned = memory.people[found.user] {
            isNew = try transaction.acknowledge(id, by: person.id, at: now)
            if try take(answer, to: found.alert, of: concerned, by: person) { isNew = true }
        }
        let row = try transaction.alert(id)
        guard let row, let message = self.message(row, to: person) else {
            return Array("{}".utf8)
        }
        if isNew {
            if let group = memory.groups[row.alert.group] {
                areas.notices.noteUnread(of: person, in: group)
            }
            try send(topics.string(.alerts(message.group)), message.payload)
            try withdraw(row, answer, by: person)
        }
        return EmergencyResult.acknowledged.bytes(of: message)
    }

    /// Stops sending the alert to the person's channels, and once it is answered, to all channels:
    /// for good, or for a call for help until the answer is withdrawn. A withdrawal of help is not
    /// an answer.
    private func withdraw(
        _ row: AlertRow, _ answer: EmergencyCommand.Answer, by person: Person
    ) throws {
        let id = row.alert.id
        guard let caller = memory.people[row.user], let group = memory.groups[row.alert.group]
        else { return }
        try areas.channels.withdraw(id, of: person)
        guard isAnswered(row, of: caller, in: group) else {
            if answer == .notComing { try areas.channels.resume(callsOf: caller, in: group) }
            return
        }
        guard answer != .notComing else { return }
        if caller.tracker.acknowledge(id) { note([.save, .schedule], caller) }
        guard row.alert.kind.isCall else { return try areas.channels.withdraw(id) }
        try areas.channels.suspend(callsOf: caller, in: group)
    }

    /// - Parameter member: ignored.
    private func isAnswered(
        _ row: AlertRow, of caller: Person, in group: Group, without member: Person? = nil
    ) -> Bool {
        let others = group.members.filter { $0 !== caller && $0 !== member }
        let seen = others.count { row.acknowledgedBy.contains($0.id) }
        return caller.tracker.isHelped(in: group.id)
            || seen >= min(Emergencies.seenByEnough, others.count)
    }

    /// Resumes a call when a member who has seen it leaves and too few others have.
    func callOn(_ caller: Person, in group: Group, without member: Person) throws {
        guard let id = caller.tracker.answeredCall(to: group.id) else { return }
        let row = try transaction.alert(id)
        guard let row, row.acknowledgedBy.contains(member.id),
            !isAnswered(row, of: caller, in: group, without: member)
        else { return }
        caller.tracker.callOn(group.id, settings.rules)
        note([.save, .schedule], caller)
        try areas.channels.resume(callsOf: caller, in: group)
    }

    private func message(_ row: AlertRow, to asker: Person? = nil) -> AlertMessage? {
        Emergencies.message(row, to: asker, memory, settings)
    }

    /// - Parameter asker: always listed if they have seen the alert.
    static func message(
        _ row: AlertRow, to asker: Person? = nil, _ memory: Memory, _ settings: BridgeSettings
    ) -> AlertMessage? {
        guard let group = memory.groups[row.alert.group], let person = memory.people[row.user]
        else { return nil }
        let first = row.acknowledgedBy.prefix(Emergencies.maximumAcknowledged)
        let own = row.acknowledgedBy.dropFirst(first.count).filter { $0 == asker?.id }
        var message = AlertMessage(
            row.alert, group: group.key, user: person.name, name: person.displayName,
            acknowledgedBy: (first + own).compactMap { memory.people[$0]?.name },
            responses: memory.named(row.responses),
            number: number(for: row.alert, settings))
        message.place = row.alert.fix.flatMap { settings.describePlace?($0.coordinate) }
        message.shownName = person.distinctName(in: group)
        return message
    }

    /// Returns the emergency number for the person's position at that time.
    private static func number(for alert: Alert, _ settings: BridgeSettings) -> String? {
        guard alert.kind.isCall else { return nil }
        return settings.emergency.dispatchAreas.area(at: alert.fix?.coordinate).number
    }

    /// The number of people listed as having seen an alert.
    private static let maximumAcknowledged = 300
    /// The number of people who must have seen a call before its repetition stops.
    private static let seenByEnough = 2
}
