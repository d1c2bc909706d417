//! The normal form in which scenarios compare model requests: ids are the model's own.

use std::collections::HashMap;

use agent::id::CallId;
use agent::message::{Body, Content, Message};

use super::expected::{CallShown, Piece, ResultShown, Role, Said};

/// Messages in the normal form.
pub(super) fn normal(messages: &[Message]) -> Vec<Said> {
    let model_ids = model_ids(messages);
    let mut shown: Vec<Said> = Vec::new();
    for message in messages {
        let (role, content) = match &message.body {
            Body::Person(text) | Body::Note(text) => (Role::User, vec![Piece::Text(text.clone())]),
            Body::Assistant(pieces) => (Role::Assistant, joined(pieces)),
            Body::Result(result) => {
                let id = model_ids.get(&result.call).cloned().unwrap_or_default();
                let text = result.text.clone();
                (Role::Tool, vec![Piece::Result(ResultShown { id, text })])
            }
        };
        let blank = |piece: &Piece| matches!(piece, Piece::Text(text) if text.trim().is_empty());
        let content: Vec<_> = content.into_iter().filter(|piece| !blank(piece)).collect();
        match shown.last_mut() {
            _ if content.is_empty() => {}
            Some(before) if before.role == role => before.content.extend(content),
            Some(_) | None => shown.push(Said { role, content }),
        }
    }
    shown
}

/// The model's ids of the calls in messages.
pub(super) fn model_ids(messages: &[Message]) -> HashMap<CallId, String> {
    let mut ids = HashMap::new();
    for message in messages {
        if let Body::Assistant(content) = &message.body {
            for piece in content {
                if let Content::Call(call) = piece {
                    ids.insert(call.id.clone(), call.model_id.clone());
                }
            }
        }
    }
    ids
}

fn joined(content: &[Content]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for piece in content {
        match (piece, pieces.last_mut()) {
            (Content::Text(text), Some(Piece::Text(before))) => before.push_str(text),
            (Content::Text(text), _) => pieces.push(Piece::Text(text.clone())),
            (Content::Opaque(opaque), _) => pieces.push(Piece::Opaque(opaque.block.clone())),
            (Content::Call(call), _) => pieces.push(Piece::Call(CallShown {
                id: call.model_id.clone(),
                name: call.name.clone(),
                args: call.arguments.clone(),
            })),
        }
    }
    pieces
}
