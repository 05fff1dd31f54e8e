import Bridge
import Contract
import MQTT
import Tracking

extension World {
    /// Makes something happen: time passes, people act, packets move, something breaks.
    func step() throws {
        let end = steady + pause()
        let isFrozen = trouble != nil && chance.onceIn(60)
        while steady < end, oracles.failure == nil {
            steadyHop(until: end)
            if !isFrozen { live() }
        }
        try populate()
        for _ in 0..<chance.number(1...4) { try act() }
        if let adversary, isPopulated { for _ in 0..<chance.number(0...3) { adversary.act() } }
        if let trouble, chance.onceIn(trouble) { goWrong() }
        live()
        if chance.onceIn(8) { try compare() }
    }

    private func pause() -> Duration {
        switch chance.number(0...999) {
        case 0..<550: chance.milliseconds(1...300)
        case 550..<900: chance.milliseconds(300...20_000)
        case 900..<992: chance.milliseconds(20_000...120_000)
        default: chance.milliseconds(120_000...2_000_000)
        }
    }

    /// Advances to the bridge's next timer, or part of the way.
    private func steadyHop(until end: Duration) {
        let longest = max(.milliseconds(200), (end - steady) / 4)
        var hop = min(longest, end - steady)
        if let due = bridge?.nextTimer, due > wall { hop = min(hop, due - wall) }
        pass(max(.milliseconds(1), hop))
        guard hop > .milliseconds(60) else { return }
        // The broker's loop runs several times a second.
        broker.tick()
        pass(.milliseconds(60))
    }

    /// Runs everything that happens without anyone acting.
    func live() {
        revive()
        broker.tick()
        pump(all: false)
        if chance.happens(85) { look() }
        pump(all: false)
    }

    func look() {
        bridge?.look()
        oracles.passage.looked()
        if let bridge, bridge.isDead {
            bridge.bury()
            self.bridge = nil
            bridgeStart = steady + chance.milliseconds(0...20_000)
        }
    }

    func revive() {
        if !broker.isRunning, steady >= brokerStart {
            broker.start()
            oracles.passage.disturbed()
        }
        guard bridge == nil, steady >= bridgeStart else { return }
        do {
            bridge = try BridgeProcess(self)
        } catch {
            bridgeStart = steady + .seconds(1)
            trace.note("bridge does not start: \(error)")
        }
    }

    /// Moves some packets on each connection.
    func pump(all: Bool) {
        for wire in broker.connected {
            let count = all ? wire.toBroker.count : chance.number(0...wire.toBroker.count)
            broker.process(wire, atMost: count)
        }
        for phone in phones { phone.listen(atMost: all ? .max : chance.number(0...30)) }
        for area in areas { area.pump(all: all) }
        adversary?.hear(all ? .max : chance.number(0...30))
    }

    // MARK: People

    func act() throws {
        var choices: [(weight: Int, choice: () throws -> Void)] = [
            (80, { self.chance.pick(self.phones)?.act() }),
            (12, { self.chance.pick(self.phones)?.connect() }),
            (2, { self.chance.pick(self.phones)?.lose() }),
            (1, { self.chance.pick(self.phones)?.leave() }),
            (3, { self.spy?.spy() }),
        ]
        for area in areas { choices += area.events }
        try chance.choose(choices)?()
    }

    // MARK: Trouble

    private func goWrong() {
        let choices: [(weight: Int, choice: () -> Void)] = [
            (12, { self.plan.commit = .fails }),
            (8, { self.plan.commit = .failsAfterwards }),
            (8, { self.plan.statement = self.chance.number(0...40) }),
            (5, { self.plan.busy = self.chance.number(1...4) }),
            (8, { self.plan.death = .statement(self.chance.number(0...60)) }),
            (8, { self.plan.death = .beforeCommit }),
            (14, { self.plan.death = .afterCommit }),
            (18, { self.plan.death = .packet(self.chance.number(0...12)) }),
            (10, { self.killBroker() }),
            (6, { self.bridge?.loseConnection() }),
            (6, { for phone in self.phones { phone.lose() } }),
            (5, { self.jump() }),
        ]
        chance.choose(choices)?()
        oracles.passage.disturbed()
    }

    private func killBroker() {
        guard broker.isRunning else { return }
        broker.kill()
        brokerStart = steady + chance.milliseconds(0...15_000)
    }

    /// Sets the server's clock, as an operator might.
    private func jump() {
        let distance = chance.pick([-3600, -30, 30, 600, 7200]) ?? 30
        setClock(by: .seconds(distance))
        trace.note("the clock is set by \(distance) s")
        for phone in phones { phone.doubtKept() }
    }

    // MARK: Comparing

    /// Checks that the bridge publishes what its shadow publishes; valid at any time.
    func compare() throws {
        guard let engine = bridge?.engine, oracles.failure == nil else { return }
        let kept = plan
        plan = FaultPlan()
        if let difference = try oracles.shadow.difference(from: engine) {
            oracles.fail("shadow", difference)
        }
        plan = kept
    }
}
