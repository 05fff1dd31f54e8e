import Contract
import Languages
import Store
import Tracking

/// Proof that an address belongs to the user who adds it.
extension Channels {
    func confirm(_ id: UUIDv7, _ code: String, by person: Person) throws -> [UInt8] {
        var channel = try channel(id, of: person)
        if channel.confirmedAt != nil { return try saved(channel) }
        let isTooOld = now >= channel.addedAt + Channels.codeValidFor
        guard let hash = channel.codeHash, !isTooOld,
            channel.codeAttempts < Channels.maximumCodeAttempts
        else {
            throw Problem(.wrongCode, "The code is no longer valid: add the address again.")
        }
        guard ConfirmationCode(code).hash(for: id) == hash else {
            // A refused code is not rolled back: the attempt counts.
            channel.codeAttempts += 1
            _ = try saved(channel)
            throw Problem(.wrongCode, "That is not the code that was sent.")
        }
        channel.codeHash = nil
        channel.confirmedAt = now
        state.sentCodes.giveBack(EmailAddress.folded(channel.address), by: person.id, at: now)
        for area in areas.all { try area.proved(channel.address, of: person) }
        try noteChange(of: channel, isAdded: true, by: person)
        return try saved(channel)
    }

    /// Makes a code. The address may be another person's, who must get few unsolicited messages.
    func makeCode(for channel: inout ChannelRow, _ person: Person) throws -> ConfirmationCode {
        let waiting = try transaction.unconfirmedChannels(at: channel.address)
        let isSoon = waiting.newest.map { now < $0 + Channels.codePause } ?? false
        guard waiting.count < Channels.maximumUnconfirmed, !isSoon else {
            throw Problem(.tooMany, "A code was already sent to that address. Try again later.")
        }
        try turn.countRequestAboutStranger(by: person)
        let address = EmailAddress.folded(channel.address)
        let refusal = turn.decisions.refuses {
            state.sentCodes.take(address, by: person.id, at: now)
                .map { Problem(.tooMany, $0.reason) }
        }
        if let refusal {
            count("codes-refused")
            throw refusal
        }
        let code = ConfirmationCode(using: &random)
        channel.codeHash = code.hash(for: channel.id)
        return code
    }

    func send(_ code: ConfirmationCode, to channel: ChannelRow) throws {
        let values: [String: Phrase.Value] = ["code": .text(code.text)]
        let message = ChannelMessage(
            id: channel.id.description, kind: "code",
            title: say([Phrase(.codeTitle, values)], to: channel),
            text: say([Phrase(.code, values)], to: channel), at: now, view: "#me")
        try deliver(message, to: channel, .awaited, until: now + Channels.codeValidFor)
    }

    private static let codeValidFor = Duration.seconds(3_600)
    private static let codePause = Duration.seconds(60)
    private static let maximumCodeAttempts = 5
    /// The maximum number of unconfirmed codes for one address, over all users.
    private static let maximumUnconfirmed = 3
}
