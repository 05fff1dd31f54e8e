import MQTT
import Store

/// Does ``CohortWork`` on a thread and a connection of its own. Nobody waits for a question as for an
/// alert, so everybody else's threads run first.
typealias CohortWorker = SerialWorker<CohortWork, CohortOutcome>

extension CohortWorker {
    /// - Parameter database: is opened for each item, so that nothing holds it open, and none is read
    ///   that was replaced.
    convenience init(database: String, waker: Waker) {
        self.init("cohorts", givesWay: true, waker: waker) { work in
            var random = SystemRandomNumberGenerator()
            do throws(StoreError) {
                return work.perform(on: try Store.openReadOnly(database), using: &random)
            } catch {
                return [.failed(work)]
            }
        }
    }
}
