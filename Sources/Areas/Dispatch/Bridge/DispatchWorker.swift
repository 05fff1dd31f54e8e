import DequeModule
import Synchronization
import Transfer

/// Calls dispatch by webhook and by command, many at a time.
///
/// Its threads send nothing else, so that slow channels cannot delay a call.
final class DispatchWorker: Sendable {
    private struct State {
        var underWay: Set<DispatchCall.Key> = []
        /// The newest message of each incident and way …
        var waiting: [DispatchCall.Key: DispatchCall] = [:]
        /// … in this order.
        var order: Deque<DispatchCall.Key> = []
    }

    private let state = Mutex(State())
    private let webhooks: DispatchWebhooks
    private let commands = DispatchCommands()
    private let outcomes: Outcomes

    init(_ settings: ChannelSettings, _ outcomes: Outcomes) {
        webhooks = DispatchWebhooks(authorities: settings.authorities)
        self.outcomes = outcomes
    }

    func submit(_ calls: [DispatchCall]) {
        guard !calls.isEmpty else { return }
        state.withLock { state in
            for call in calls where state.waiting.updateValue(call, forKey: call.key) == nil {
                state.order.append(call.key)
            }
        }
        startWaiting()
    }

    /// Starts waiting calls; those of one incident by one way are sent in order.
    private func startWaiting() {
        let calls = state.withLock { state in
            var calls: [DispatchCall] = []
            for _ in 0..<state.order.count {
                guard state.underWay.count < BridgeSettings.maximumDispatchCalls,
                    let key = state.order.popFirst()
                else { break }
                if state.underWay.contains(key) {
                    state.order.append(key)
                } else if let call = state.waiting.removeValue(forKey: key) {
                    state.underWay.insert(key)
                    calls.append(call)
                }
            }
            return calls
        }
        for call in calls {
            Task.detached { [self] in await perform(call) }
        }
    }

    private func perform(_ call: DispatchCall) async {
        var result = await result(of: call)
        var tries = 1
        while case .failed = result, tries < call.tries {
            do {
                try await Task.sleep(for: DispatchWorker.pause * tries)
            } catch {
                break  // Cancelled, which nothing does.
            }
            result = await self.result(of: call)
            tries += 1
        }
        // Before the next call for the same incident can begin, so that outcomes keep their order.
        outcomes.add([DispatchOutcome(call.key, by: call.way, result)])
        state.withLock { _ = $0.underWay.remove(call.key) }
        startWaiting()
    }

    private func result(of call: DispatchCall) async -> DispatchOutcome.Result {
        switch call.way {
        case .webhook(let url, let secret): await webhooks.send(call, to: url, secret)
        case .command(let words): await commands.run(words, call.payload)
        case .mqtt: preconditionFailure("the turn publishes that itself")
        }
    }

    /// The pause before the second try; it is longer before later ones.
    private static let pause = Duration.seconds(2)
}
