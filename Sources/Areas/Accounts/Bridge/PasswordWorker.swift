import Synchronization

/// Does ``PasswordWork`` on a thread of its own, in the order of a ``PasswordLine``. The engine
/// submits no more than ``BridgeSettings/maximumPasswordWork`` at a time, and the same number for
/// directory users.
struct PasswordWorker {
    private let line = Line()
    private let worker: SerialWorker<Void>

    private final class Line: Sendable {
        let content = Mutex(PasswordLine())
    }

    init(_ outcomes: Outcomes) {
        worker = SerialWorker("passwords") { [line] _ in
            guard let work = line.content.withLock({ $0.next() }) else { return }
            let outcome = work.perform()
            outcomes.add(line.content.withLock { $0.finish(outcome) })
        }
    }

    func submit(_ work: [PasswordWork]) {
        line.content.withLock { line in for work in work { line.append(work) } }
        worker.submit(work.map { _ in () })
    }
}
