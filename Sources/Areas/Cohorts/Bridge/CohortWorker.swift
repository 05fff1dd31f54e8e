import Store

extension Cohorts {
    /// Does ``CohortWork`` on a thread and a connection of its own. Questions are less urgent than
    /// alerts, so all other threads run first.
    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker] {
        let worker = SerialWorker<CohortWork>("cohorts", givesWay: true) { work in
            var random = SystemRandomNumberGenerator()
            do {
                // Opened for each item, so that it is not kept open, and a replaced one is never
                // read.
                let store = try Store.openReadOnly(database)
                outcomes.add(work.perform(on: store, using: &random))
            } catch {
                outcomes.add([CohortOutcome.failed(work)])
            }
        }
        return [Worker(worker.submit)]
    }
}
