import Contract
import MQTT
import Store

extension Turn {
    /// Runs the commands that the operator's command line has left in the store. One that the store
    /// rejects, or that repeatedly ended the process, is answered with a problem.
    func takeOperatorRequests() throws {
        for (id, request) in try transaction.operatorRequests() {
            let piece = Piece.operatorRequest(row: id)
            let isImpossible =
                rejected.contains(piece) || !begins(.operatorRequest(request))
            serving = piece
            let outcome: Reply.Outcome
            do {
                guard !isImpossible else { throw Turn.impossible }
                let command = OperatorCommand(json: request)
                outcome = .result(try execute(try command.read(at: now, settings.limits)))
            } catch {
                guard let problem = Problem(of: error) else { throw error }
                outcome = .problem(problem)
            }
            let payload = Reply(id: nil, outcome).payload
            try transaction.answerOperator(id, String(decoding: payload, as: UTF8.self))
            serving = nil
        }
        endWork()
    }

    /// Answers the operator's request. These requests are not remembered: a repeated one is
    /// executed again.
    ///
    /// - Parameter refusal: the reason to refuse it even if it is valid.
    func takeOperatorRequest(_ message: Message, _ method: String, refusal: Problem? = nil) throws {
        count("requests-of-operator")
        let replies = asker(message, .operator) { .operatorReplies(suffix: $0) }
        guard let (asker, request) = try read(message, from: replies) else { return }
        let outcome = try outcome {
            if let refusal { throw refusal }
            if lacksRoom(for: method) { throw Turn.noRoom }
            guard Method.named(method)?.isOperatorsRequest == true else {
                throw Problem(.unknownMethod, "There is no operator request with that name.")
            }
            return try execute(
                try OperatorCommand.read(method, request.fields, at: now, settings.limits))
        }
        if let outcome { try reply(to: asker, outcome) }
    }

    /// Has the command's area perform it.
    private func execute(_ command: any AreaOperatorCommand) throws -> [UInt8] {
        for area in areas.all {
            if let answer = try area.performIfOwn(command) { return answer }
        }
        throw Problem(.unknownMethod, "This service does not support this command.")
    }
}
