import Clocks
import Contract
import JSON
import Logging
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Passwords are checked outside the turns.
struct PasswordWorkTests {
    private func login(_ world: World, _ login: String = "carol") throws -> Message {
        try world.guestMessage(
            "account.login",
            #"{"login":"\#(login)","password":"correct horse","device":"phone"}"#)
    }

    /// Only deriving the key takes time, and that depends only on the cost.
    @Test(arguments: ["carol", "nobody", "alice", "nobody@example.org"])
    func `A login costs the same whether or not the account exists`(_ name: String) throws {
        let world = try World()
        try world.register()
        try world.addUsers("alice")
        world.worksOnPasswords = false
        try world.turn([try login(world, name)])
        let work = world.engine.takeWork(PasswordWork.self)
        #expect(work.map(\.check?.against.cost) == [PasswordHash.Cost(ln: 10, r: 1, p: 1)])
        #expect(work.map(\.check?.against.salt.count) == [16])
        #expect(work.map(\.check?.against.hash.count) == [32])
    }

    @Test func `A failed turn requests no work and succeeds when repeated`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.register()
        faults.failNextCommit = true
        let message = try login(world)
        #expect(throws: StoreError.self) { try world.turn([message]) }
        #expect(world.engine.takeWork(PasswordWork.self).isEmpty)
        #expect(try world.turn([message]).map { JSONValue.read($0.payload).outcome } == ["ok"])
    }

    @Test func `An outcome whose turn failed can be submitted again`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.register()
        world.worksOnPasswords = false
        try world.turn([try login(world)])
        let outcomes = world.engine.takeWork(PasswordWork.self).map { $0.perform() }
        func handIn() throws -> [String] {
            try world.engine.turn(
                [], at: world.now, listeningSince: world.now, [],
                outcomes: outcomes
            ).map { JSONValue.read($0.payload).outcome }
        }
        faults.failNextCommit = true
        #expect(throws: StoreError.self) { try handIn() }
        #expect(try world.tokenHashes().isEmpty)
        #expect(try handIn() == ["ok"])
        #expect(try world.tokenHashes().count == 1)
    }

    /// A commit can be on disk although it is reported as failed.
    @Test func `An outcome answered despite a failed commit is not answered again`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.register()
        try world.token(device: "phone")
        world.worksOnPasswords = false
        let change = #"{"id":1,"old":"correct horse","new":"another horse"}"#
        try world.turn([world.requestMessage("carol", "account.password", change)])
        let outcomes = world.engine.takeWork(PasswordWork.self).map { $0.perform() }
        #expect(outcomes.count == 1)
        func handIn() throws -> [Publication] {
            try world.engine.turn(
                [], at: world.now, listeningSince: world.now, [],
                outcomes: outcomes)
        }
        faults.denyNextCommit = true
        #expect(throws: StoreError.self) { try handIn() }
        // The number of unread notices was not published yet.
        #expect(try handIn().map(\.topic) == ["kith/users/carol/unread"])
        let replies = try world.engine.outbox().publications.map { JSONValue.read($0.payload) }
        #expect(replies.filter { $0["id"]?.integer == 1 }.map(\.outcome) == ["ok"])
        let again = try world.turn([world.requestMessage("carol", "account.password", change)])
        #expect(again.map { JSONValue.read($0.payload).outcome } == ["ok"])
    }

    @Test func `An outcome the database rejects gets a reply; the others are processed`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.register()
        try world.token(device: "phone")
        world.worksOnPasswords = false
        let change = #"{"id":1,"old":"correct horse","new":"another horse"}"#
        try world.turn([world.requestMessage("carol", "account.password", change)])
        try world.turn([try login(world)])
        let outcomes = world.engine.takeWork(PasswordWork.self).map { $0.perform() }
        faults.forbiddenText = try #require(outcomes.first?.made)
        let published = try world.engine.turn(
            [], at: world.now, listeningSince: world.now, [],
            outcomes: outcomes)
        let replies = published.filter { $0.topic.contains("/replies") }
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["malformed", "ok"])
        #expect(world.engine.leftOut.isEmpty)
    }

    /// The worker returns each outcome once.
    @Test func `An outcome survives a round that fails before its turn`() throws {
        let faults = Faults()
        let world = try World.withFamily(wrap: { FailingDriver($0, faults) })
        try world.register()
        let turnLoop = TurnLoop(world.engine, world.settings, logger: Logger(label: "test"))
        let moment = ClockReading(wall: world.now, steady: .seconds(100))
        let link = ScriptedLink()
        try turnLoop.begin(link, at: moment)
        // The broker refuses the alert, and that cannot be recorded.
        link.answer = { $0.topic.hasSuffix("/alerts") ? .refuses : .confirms }
        link.incoming = [
            world.requestMessage("alice", "sos.trigger", "{\"id\":1}"), try login(world),
        ]
        try turnLoop.round(at: moment)
        let outcomes = world.engine.takeWork(PasswordWork.self).map { $0.perform() }
        #expect(outcomes.count == 1)
        faults.failNextCommit = true
        #expect(throws: StoreError.self) {
            try turnLoop.round(at: moment, outcomes: outcomes)
        }
        turnLoop.lose()
        let again = ScriptedLink()
        try turnLoop.begin(again, at: moment)
        try turnLoop.round(at: moment)
        let replies = again.takeSent().filter {
            $0.topic.hasPrefix("kith/guests/") && $0.outboxRow == nil
        }
        #expect(replies.map { JSONValue.read($0.payload).outcome } == ["ok"])
        #expect(try world.tokenHashes().count == 1)
    }

    @Test func `The worker does all work in order and wakes the loop`() throws {
        let world = try World()
        try world.register()
        world.worksOnPasswords = false
        try world.turn(["carol", "nobody", "carol"].map { try login(world, $0) })
        let waker = Waker()
        let finished = Outcomes(waker: waker)
        let worker = PasswordWorker(finished)
        let work = world.engine.takeWork(PasswordWork.self)
        worker.submit(work)
        var outcomes: [PasswordOutcome] = []
        let deadline = ContinuousClock.now + .seconds(30)
        while outcomes.count < work.count, ContinuousClock.now < deadline {
            waker.wait(atMost: 30_000)
            outcomes += finished.take().compactMap { $0 as? PasswordOutcome }
        }
        #expect(outcomes.map(\.work) == work.map(\.id))
        #expect(outcomes.map(\.isRight) == [true, false, true])
        // It starts again after being idle.
        worker.submit([work[0]])
        outcomes = []
        while outcomes.isEmpty, ContinuousClock.now < deadline {
            waker.wait(atMost: 30_000)
            outcomes += finished.take().compactMap { $0 as? PasswordOutcome }
        }
        #expect(outcomes.map(\.isRight) == [true])
    }
}
