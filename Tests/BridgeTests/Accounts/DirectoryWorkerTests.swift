import Contract
import Directory
import Glibc
import Logging
import MQTT
import Synchronization
import Testing
import Tracking

@testable import Bridge

/// The threads that wait for the directory.
struct DirectoryWorkerTests {
    /// Work as turns request it.
    private func work(_ users: String...) throws -> [DirectoryWork] {
        let world = try World.withDirectory()
        world.directory = nil
        for user in users { try world.logIn(silently: user) }
        return world.engine.takeWork(DirectoryWork.self)
    }

    private let waker: Waker
    private let outcomes: Outcomes

    init() {
        waker = Waker()
        outcomes = Outcomes(waker: waker)
    }

    private func take<Outcome>(_ count: Int, _ type: Outcome.Type) -> [Outcome] {
        var taken: [Outcome] = []
        let deadline = ContinuousClock.now + .seconds(25)
        while taken.count < count, ContinuousClock.now < deadline {
            waker.wait(atMost: 25_000)
            taken += outcomes.take().compactMap { $0 as? Outcome }
        }
        return taken
    }

    /// A gate that work waits at until it is opened.
    private final class Barrier: Sendable {
        private let isOpen = Mutex(false)
        func open() { isOpen.withLock { $0 = true } }
        func wait() {
            while !isOpen.withLock({ $0 }) { usleep(1_000) }
        }
    }

    @Test func `The directory probe runs every minute, never beside a hung query`() throws {
        let barrier = Barrier()
        let asked = Mutex(0)
        let probe = DirectoryProbe(outcomes) { () throws(DirectoryError) in
            asked.withLock { $0 += 1 }
            barrier.wait()
            throw .unreachable
        }
        let start = ContinuousClock.now
        for minute in 0..<5 { probe.ask(at: start + .seconds(60 * minute)) }
        barrier.open()
        #expect(take(1, DirectoryProbe.Answer.self).map(\.trouble) == [.unreachable])
        #expect(asked.withLock(\.self) == 1)
        probe.ask(at: start + .seconds(60) - .seconds(1))
        probe.ask(at: start + .seconds(60))
        #expect(take(1, DirectoryProbe.Answer.self).count == 1)
        #expect(asked.withLock(\.self) == 2)
    }

    @Test func `A hung query times out and is answered only once`() throws {
        let barrier = Barrier()
        let worker = DirectoryWorker(within: .milliseconds(200), outcomes) { work in
            barrier.wait()
            return DirectoryOutcome(of: work, .refused)
        }
        // More than there are threads.
        let asked = try work("a", "b", "c", "d", "e", "f", "g")
        #expect(asked.count == 7)
        worker.submit(asked)
        let timedOut = take(7, DirectoryOutcome.self)
        #expect(Set(timedOut.map(\.work)) == Set(asked.map(\.id)))
        for outcome in timedOut {
            guard case .failed(.timedOut) = outcome.answer else {
                Issue.record("\(outcome.answer)")
                continue
            }
        }
        barrier.open()
        // Later work is answered again; the late answers are dropped.
        let next = try work("x")[0]
        var later = next
        later.id = 100
        worker.submit([later])
        #expect(take(1, DirectoryOutcome.self).map(\.work) == [100])
    }

    @Test func `A hung query delays neither other logins nor presence checks`() throws {
        let barrier = Barrier()
        defer { barrier.open() }
        let worker = DirectoryWorker(within: .seconds(600), outcomes) { work in
            if case .password(let typed, _, _) = work.question, typed.user == "hangs" {
                barrier.wait()
            }
            return DirectoryOutcome(of: work, .failed(.unreachable))
        }
        var check = DirectoryWork(question: .presence([:]))
        check.id = 50
        let asked = try work("hangs", "a", "b", "c")
        worker.submit(asked + [check])
        let answered = Set(take(4, DirectoryOutcome.self).map(\.work))
        #expect(answered == Set(asked.dropFirst().map(\.id) + [50]))
    }

    /// In milliseconds: how long the directory took, and after how long a user is refused.
    @Test(arguments: [
        (0, 500), (1, 500), (30, 500), (499, 500), (500, 500), (501, 1_000), (2_750, 3_000),
    ])
    func `A refusal's timing reveals nothing`(_ took: Int, _ told: Int) throws {
        let outcome = DirectoryOutcome(of: try work("a")[0], .refused)
        let pause = DirectoryWorker.pause(before: outcome, after: .milliseconds(took))
        #expect(Duration.milliseconds(took) + pause == .milliseconds(told))
    }

    @Test func `A successful login or a reported outage is not delayed`() throws {
        let work = try work("a")[0]
        let entry = DirectoryEntry(id: EntryID(stored: "x=1"), user: "a")
        for answer in [DirectoryOutcome.Answer.entry(entry), .failed(.unreachable), .present([])] {
            let outcome = DirectoryOutcome(of: work, answer)
            #expect(DirectoryWorker.pause(before: outcome, after: .milliseconds(3)) == .zero)
        }
    }

    // MARK: The operator's log

    private final class Journal: LogHandler, Sendable {
        let lines = Mutex<[String]>([])
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        func log(event: LogEvent) {
            lines.withLock { $0.append("\(event.message) \(event.metadata?.description ?? "")") }
        }
        func takeLines() -> [String] {
            lines.withLock { lines in
                defer { lines = [] }
                return lines
            }
        }
    }

    @Test func `The operator's log reports a problem once and names no user`() throws {
        let journal = Journal()
        let logger = Logger(label: "test") { _ in journal }
        let work = try work("anna.lake")[0]
        func outcome(_ answer: DirectoryOutcome.Answer) -> DirectoryOutcome {
            DirectoryOutcome(of: work, answer)
        }
        var watch = DirectoryWatch()
        for second in 0..<50 {
            watch.note([outcome(.failed(.timedOut))], at: .seconds(second), logger)
        }
        #expect(watch.trouble == .timedOut)
        var lines = journal.takeLines()
        #expect(lines.count == 1)
        #expect(lines.first?.contains("cannot check passwords") == true)
        // Another reason is logged, but not too often.
        watch.note([outcome(.failed(.tls))], at: .seconds(55), logger)
        #expect(journal.takeLines().isEmpty)
        watch.note([outcome(.failed(.tls))], at: .seconds(60), logger)
        lines += journal.takeLines()
        watch.note([outcome(.refused), outcome(.refused)], at: .seconds(61), logger)
        #expect(watch.trouble == nil)
        lines += journal.takeLines()
        #expect(lines.count == 3)
        watch.look(at: ["directory-gone": 2, "directory-doubted": 0], logger)
        watch.look(at: ["directory-gone": 2, "directory-doubted": 7], logger)
        watch.look(at: ["directory-gone": 2, "directory-doubted": 9], logger)
        lines += journal.takeLines()
        #expect(lines.count == 5)
        #expect(!lines.contains { $0.contains("anna") })
    }
}

extension World {
    /// Logs in with a password of the organisation, without an answer yet.
    fileprivate func logIn(silently user: String) throws {
        let payload = #"{"login":"\#(user)","password":"x","device":"phone"}"#
        #expect(try turn([guestMessage("account.login", payload, from: "guest-\(user)")]).isEmpty)
    }
}
