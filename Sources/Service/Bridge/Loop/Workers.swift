import MQTT
import Synchronization

/// Does one type of work on threads of its own, and adds its ``Outcomes``.
struct Worker {
    /// Takes and starts the work requested by committed turns; called after each of them.
    let serve: (Engine) -> Void
}

extension Worker {
    /// - Parameter submit: starts the work; it does not block.
    init<Item: Work>(_ submit: @escaping ([Item]) -> Void) {
        serve = { engine in submit(engine.takeWork(Item.self)) }
    }
}

/// The outcomes of the workers, for the loop, which they wake.
final class Outcomes: Sendable {
    private let waiting = Mutex<[any WorkOutcome]>([])
    private let waker: Waker

    init(waker: Waker) { self.waker = waker }

    func add(_ outcomes: [any WorkOutcome]) {
        guard !outcomes.isEmpty else { return }
        waiting.withLock { $0 += outcomes }
        waker.wake()
    }

    /// Returns the outcomes for a turn, in order; if any are left, the loop is woken again.
    func take() -> [any WorkOutcome] {
        let (taken, isMore) = waiting.withLock { waiting in
            var (taken, rest): ([any WorkOutcome], [any WorkOutcome]) = ([], [])
            var single: Set<WorkKind> = []
            for outcome in waiting {
                if let kind = outcome.kind, kind.isSingle, !single.insert(kind).inserted {
                    rest.append(outcome)
                } else {
                    taken.append(outcome)
                }
            }
            waiting = rest
            return (taken, !rest.isEmpty)
        }
        if isMore { waker.wake() }
        return taken
    }
}
