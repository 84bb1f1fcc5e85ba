export default { ask: (r) => r.return(403), askWithBody: (r) => r.return(403) };
