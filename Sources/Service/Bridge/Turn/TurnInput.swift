internal import MQTT
internal import Tracking

/// Everything that a turn depends on besides the store and randomness.
package struct TurnInput: Sendable {
    let messages: [Message]
    let now: Timestamp
    let listeningSince: Timestamp
    let tasks: Engine.TurnTasks
    let outcomes: [any WorkOutcome]
    let decisions: TurnDecisions
}
