import MQTT
import Store

/// Does ``CohortWork`` on a thread and a connection of its own. Questions are less urgent than
/// alerts, so all other threads run first.
typealias CohortWorker = SerialWorker<CohortWork, CohortOutcome>

extension CohortWorker {
    /// - Parameter database: opened for each item, so that it is not kept open, and a replaced one
    ///   is never read.
    convenience init(database: String, waker: Waker) {
        self.init("cohorts", givesWay: true, waker: waker) { work in
            var random = SystemRandomNumberGenerator()
            do {
                return work.perform(on: try Store.openReadOnly(database), using: &random)
            } catch {
                return [.failed(work)]
            }
        }
    }
}
