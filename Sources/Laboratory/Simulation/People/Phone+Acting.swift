import Contract
import MQTT
import Tracking

extension Phone {
    /// Does something that people do, at random.
    func act() {
        var choices: [(weight: Int, choice: () -> Void)] = [
            (50, { self.report() }), (6, { self.upload() }), (4, { self.resend() }),
            (26, { self.ask() }), (4, { self.clockError = self.otherClock() }),
            (3, { self.talkNonsense() }),
        ]
        if world.isTight { choices.append((3, { self.flood() })) }
        world.chance.choose(choices)?()
    }

    private func otherClock() -> Duration {
        guard world.chance.happens(40) else { return .zero }
        return .milliseconds(
            world.chance.pick([-86_400_000, -300_000, -3000, 20_000, 90_000, 86_400_000]) ?? 0)
    }

    // MARK: Fixes

    private func report() {
        position = max(0, position + world.chance.number(-20...40))
        publishFixes([wall - world.chance.milliseconds(0...3000)])
    }

    /// Sends the fixes recorded without a network together.
    private func upload() {
        let start = wall - world.chance.milliseconds(1000...3_600_000)
        publishFixes((0..<world.chance.number(2...8)).map { start + .seconds(10 * $0) })
    }

    private func publishFixes(_ times: [Timestamp]) {
        var elements: [String] = []
        var sequences: [(number: Int64, takenAt: Timestamp)] = []
        let times = times.map(app.rounded)
        for time in times {
            if app.isNumbering {
                lastSequence += 1
                sequences.append((lastSequence, time))
            }
            elements.append(
                app.fix(of: self, at: time, sequence: app.isNumbering ? lastSequence : nil))
        }
        let text = elements.count == 1 ? elements[0] : "[\(elements.joined(separator: ","))]"
        let payload = Array(text.utf8)
        world.expect(times, in: payload)
        let message = Message(topic: app.topic(of: self), payload: payload)
        for (number, takenAt) in sequences {
            kept.append(
                KeptFix(
                    sequence: number, takenAt: takenAt, message: message,
                    isDoubtful: takenAt > world.wall + .seconds(40)))
        }
        world.trace.note("\(id) reports \(times.count)")
        publish(message)
    }

    /// On a line from south to north.
    var latitude: Double { Double(460_000_000 + position * 90) / 1e7 }

    private func resend() {
        for message in keptMessages.prefix(5) { publish(message) }
    }

    private func talkNonsense() {
        guard app.canAsk else { return }
        let payload = world.chance.pick(["{}", "[", "", #"{"latitude":91}"#]) ?? ""
        publish(Message(topic: app.topic(of: self), payload: Array(payload.utf8)))
    }

    // MARK: Requests

    /// Sends more requests than the bridge processes together for anyone.
    private func flood() {
        for _ in 0..<world.chance.number(5...40) { ask() }
    }

    private func ask() {
        guard app.canAsk,
            let ask = world.chance.choose(world.life.asks.map { ($0.weight, $0) }),
            let fields = ask.fields(self)
        else { return }
        // Sometimes without an id: such a request is not repeated.
        let hasPassword = Method.named(ask.method)?.hasPassword ?? false
        self.ask(
            ask.method, fields, isNumbered: world.chance.happens(90) || hasPassword)
    }

    // MARK: Forbidden attempts

    func spy() {
        guard let wire, wire.isOpen else { return connect() }
        let chance = world.chance
        guard let victim = chance.pick(world.phones)?.user else { return }
        let targets = world.targets(victim)
        if chance.happens(60), let filter = chance.pick(targets.filters) {
            world.broker.subscribe(filter, .atLeastOnce, wire)
            return
        }
        guard let topic = chance.pick(targets.topics) else { return }
        publish(
            Message(
                topic: topic,
                payload: Array(app.fix(of: self, at: wall, sequence: nil).utf8),
                qos: .atMostOnce, retain: chance.happens(30)))
    }
}
